// §11.3 and §11.4: the names of the defined fields, in lower case.
export const HEADER = ['conformance', 'contact', 'expires', 'resolvers'];
export const BLOCK = ['protocol', 'jobs', 'sign-in', 'payment'];
export const DEFINED = new Set([...HEADER, 'endpoint', ...BLOCK]);
