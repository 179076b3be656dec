"""Programs that are asked over the line protocol (test-vectors/draft/FORMAT.md)."""
import json
import pathlib
import subprocess
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]

# A batch of questions is answered within this time, or the program is taken to hang.
TIMEOUT_SECONDS = 120


class Program:
    """A command that is started once, and again after it ended or hung."""

    def __init__(self, name, command):
        self.name, self.command, self.process = name, command, None

    def _start(self):
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(self.command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self.process

    def close(self):
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def ask(self, lines):
        """The answers to lines of questions, in order. One that did not come is `{"fault": ...}`."""
        answers = []
        while len(answers) < len(lines):
            answers += self._ask_until_fault(lines[len(answers):])
        return answers

    def _ask_until_fault(self, lines):
        process, answers = self._start(), []

        def write():
            try:
                for line in lines:
                    process.stdin.write(line)
                process.stdin.flush()
            except OSError:
                pass  # it ended; the reader below notices

        writer = threading.Thread(target=write)
        alarm = threading.Timer(TIMEOUT_SECONDS, process.kill)
        writer.start()
        alarm.start()
        try:
            for _ in lines:
                line = process.stdout.readline()
                try:
                    answers.append(json.loads(line) if line else {"fault": "ended or hung"})
                except ValueError:
                    answers.append({"fault": "not JSON: %r" % line[:200]})
                if "fault" in answers[-1]:
                    break
        finally:
            alarm.cancel()
            if answers and "fault" in answers[-1]:
                self.close()
            writer.join()
        return answers


def verdict(answer):
    """What is compared of an answer; None where the program does not know the operation.

    JSON pointers are compared as a set, and anything that is no verdict is told apart from every verdict.
    """
    if answer.get("unsupported"):
        return None
    if answer.get("result") not in ("valid", "invalid"):
        return "no verdict: %s" % json.dumps({name: value for name, value in answer.items() if name != "id"})
    output = answer.get("output")
    if isinstance(output, dict) and isinstance(output.get("copyDiffers"), list):
        output = {**output, "copyDiffers": sorted(output["copyDiffers"])}
    return json.dumps([answer["result"], answer.get("reason"), output], sort_keys=True, ensure_ascii=False)


def disagree(verdicts):
    """Whether some of the programs that know the operation differ, or have no verdict."""
    known = [each for each in verdicts if each is not None]
    return len(set(known)) > 1 or any(each.startswith("no verdict") for each in known)


def way(verdicts):
    """In which way programs disagree: result and reason of each, and which of them say the same, whatever they yield."""
    said = [each and each.startswith("[") and json.loads(each)[:2] or each for each in verdicts]
    return json.dumps([said, [verdicts.index(each) for each in verdicts]])
