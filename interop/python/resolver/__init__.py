"""A resolver of Capability Resolution over fixed observations, written from the text alone."""
