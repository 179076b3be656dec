"""§11.5: which endpoints a file speaks for, with the algorithm of the Public Suffix List."""
from .. import hosts, uts46


def _labels(rule):
    return [label if label == "*" else uts46.domain_to_ascii(label) for label in rule.split(".")]


def _suffix_length(labels, rules):
    """How many labels the public suffix of a domain has by the rules of the list; the default rule `*` always holds."""
    longest = 1
    for line in rules:
        rule = line.split()[0] if line.strip() else ""
        if not rule or rule.startswith("//"):
            continue
        exception = rule.startswith("!")
        try:
            wanted = _labels(rule.removeprefix("!"))
        except uts46.DomainError:
            continue
        if len(wanted) > len(labels) or any(
                w not in ("*", label) for w, label in zip(reversed(wanted), reversed(labels))):
            continue
        if exception:
            return len(wanted) - 1
        longest = max(longest, len(wanted))
    return longest


def is_public_suffix(host, rules=()):
    labels = host.split(".")
    return len(labels) <= _suffix_length(labels, rules)


def site(host, rules=()):
    """The registrable domain of a host; of an address and of a public suffix the host itself."""
    labels = host.split(".")
    if hosts.is_address(host):
        return host
    return ".".join(labels[-1 - _suffix_length(labels, rules):])


def in_scope(endpoint_host, host, rules=()):
    """[captxt.scope], [captxt.scope.address], [captxt.scope.public-suffix], for canonical hosts."""
    if endpoint_host == host:
        return True
    if hosts.is_address(host) or hosts.is_address(endpoint_host) or is_public_suffix(host, rules):
        return False
    return endpoint_host.endswith("." + host)
