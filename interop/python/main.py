"""Without arguments the line protocol on standard input and output; with arguments the command line."""
import sys

from capability_resolution import command, protocol

if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(command.run(sys.argv[1:]))
    protocol.serve(sys.stdin.buffer, sys.stdout)
