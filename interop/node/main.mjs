// Without arguments the line protocol on standard input and output; with arguments the command line.
import { run } from './src/command.mjs';
import { serve } from './src/protocol.mjs';

if (process.argv.length > 2) process.exitCode = run(process.argv.slice(2));
else await serve(process.stdin, process.stdout);
