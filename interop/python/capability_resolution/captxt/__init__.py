"""§11: capabilities.txt, its strict reader and its deny reader."""
