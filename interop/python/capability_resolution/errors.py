"""§2.3 "code": the one exception by which a check names the code of the rule that an input breaks."""


class Refused(Exception):
    def __init__(self, code):
        super().__init__(code)
        self.code = code
