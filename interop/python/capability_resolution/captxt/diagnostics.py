"""§11.1: diagnostics, each with a code, a line and a column."""


class Diagnostics:
    """The errors and the warnings of one file, each in the order of [captxt.order]."""

    def __init__(self):
        self._errors, self._warnings = [], []

    def error(self, code, line=1, column=1):
        self._errors.append((line, column, code))

    def warn(self, code, line=1, column=1):
        self._warnings.append((line, column, code))

    @property
    def errors(self):
        return _listed(self._errors)

    @property
    def warnings(self):
        return _listed(self._warnings)

    @property
    def valid(self):
        """[captxt.valid]"""
        return not self._errors


def _listed(found):
    return [{"code": code, "line": line, "column": column} for line, column, code in sorted(found)]
