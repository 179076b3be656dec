"""Starts the resolver: `main.py --listen 127.0.0.1:PORT --issuer ORIGIN observations.json`."""
import pathlib
import sys

# The folder above stands in for this one, so that no module here hides one of the standard library.
sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])

from resolver.command import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
