"""A reading of Capability Resolution, written from spec/draft/capability-resolution.md alone."""
