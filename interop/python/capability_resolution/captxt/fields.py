"""§11.3 and §11.4: the names of the defined fields, in lower case."""

HEADER_FIELDS = ("conformance", "contact", "expires", "resolvers")
BLOCK_FIELDS = ("protocol", "jobs", "sign-in", "payment")
DEFINED = frozenset(HEADER_FIELDS + ("endpoint",) + BLOCK_FIELDS)
