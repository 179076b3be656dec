"""A reading of Capability Resolution 0.2-rc.1, written from spec/draft/capability-resolution.md alone."""
