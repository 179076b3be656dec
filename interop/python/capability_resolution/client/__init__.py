"""§10: a client, with what it needs of §3.6 (HTTP), §4 (discovery) and §7 (records)."""
