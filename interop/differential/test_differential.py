"""The tool finds what it is there to find, and makes the same inputs each time."""
import collections
import pathlib
import random
import subprocess
import sys
import unittest

import json_text
import mutate
from cases import Source, take_apart
from minimise import minimise
from programs import Program, disagree, verdict, way

HERE = pathlib.Path(__file__).parent
SOURCE = Source()
READING = "%s interop/python/main.py" % sys.executable
# The same program with a line before it starts.
CHANGED = "%s -c \"import sys; sys.path.insert(0, 'interop/python'); from capability_resolution import *; " \
    "from capability_resolution import protocol, times, token; %%s; " \
    "protocol.serve(sys.stdin.buffer, sys.stdout)\"" % sys.executable


def run(*arguments):
    ended = subprocess.run([sys.executable, HERE / "main.py", *arguments], capture_output=True, text=True, timeout=300)
    return ended.returncode, ended.stdout + ended.stderr


class Inputs(unittest.TestCase):
    def test_a_vector_that_is_not_changed_asks_what_it_asked(self):
        for vectors in SOURCE.vectors.values():
            for vector in vectors:
                self.assertEqual(take_apart(vector).input(), vector["input"], vector["id"])

    def test_the_same_seed_makes_the_same_inputs_and_another_one_others(self):
        for kind in SOURCE.vectors:
            def made(seed):
                return [SOURCE.case(seed, kind, number).input() for number in range(30)]
            self.assertEqual(made("1"), made("1"))
            self.assertNotEqual(made("1"), made("2"))

    def test_a_tree_writes_what_was_read(self):
        read = 0
        for vector in SOURCE.vectors["discovery"]:
            document = take_apart(vector).fields["document"]
            try:
                tree = json_text.read(document)
            except ValueError:
                continue
            read += 1
            again = json_text.write(tree)
            self.assertEqual(json_text.write(json_text.read(again)), again)
            if vector["id"] == "discovery-plain":
                self.assertEqual(again, document)
        self.assertGreater(read, 250)

    def test_documents_are_changed_in_many_ways(self):
        document, made = '{"a":{"b":[1,"x"]},"c":null}', collections.Counter()
        for seed in range(500):
            made[mutate.json_document(random.Random(seed), document, ['"d"'], ["y"])] += 1
        self.assertGreater(len(made), 250)
        self.assertLess(made[document], 50)


class Verdicts(unittest.TestCase):
    def test_pointers_are_compared_as_a_set_and_places_as_a_list(self):
        def of(**output):
            return verdict({"id": "x", "result": "valid", "reason": None, "output": output})
        self.assertEqual(of(copyDiffers=["/a", "/b"]), of(copyDiffers=["/b", "/a"]))
        self.assertNotEqual(of(candidates=[0, 1]), of(candidates=[1, 0]))

    def test_what_is_no_verdict_agrees_with_nothing(self):
        fault = verdict({"fault": "ended or hung"})
        self.assertTrue(disagree((fault, fault)))
        self.assertTrue(disagree((None, verdict({"error": "x"}))))
        self.assertFalse(disagree((None, None, verdict({"result": "valid"}))))

    def test_the_way_of_disagreeing_leaves_out_what_is_yielded(self):
        def of(*needs):
            return way(tuple(verdict({"result": "valid", "output": {"need": need}}) for need in needs))
        self.assertEqual(of("a", "b", "a"), of("c", "d", "c"))
        self.assertNotEqual(of("a", "b", "a"), of("a", "b", "b"))

    def test_after_a_fault_the_rest_is_asked_of_a_new_process(self):
        program = Program("moody", [sys.executable, "-c", """if True:
            import json, sys
            for line in sys.stdin:
                asked = json.loads(line)
                if asked["id"] == "end":
                    sys.exit(1)
                print("garbage" if asked["id"] == "say" else json.dumps(asked), flush=True)"""])
        answers = program.ask([b'{"id":"%s"}\n' % word for word in (b"a", b"end", b"b", b"say", b"c")])
        program.close()
        self.assertEqual([answer.get("id", "fault") for answer in answers], ["a", "fault", "b", "fault", "c"])

    def test_an_input_gets_smaller(self):
        case = take_apart(SOURCE.vectors["token"][0])
        small = minimise(case, lambda other: "exp" in other.tokens[0][1] and len(other.fields["token"]) > 0)
        self.assertEqual(small.tokens[0], ["", "exp"])
        self.assertEqual(len(small.fields["token"]), 1)
        self.assertEqual(small.fields["discovery"], "")


class Runs(unittest.TestCase):
    def test_a_program_agrees_with_itself(self):
        code, said = run("--count", "300", READING, READING)
        self.assertEqual(code, 0, said)
        self.assertIn(" 0 disagreements of 0 kinds", said)

    def test_one_second_too_few_is_found_and_shown(self):
        code, said = run("--kind", "token", "--count", "1500", READING, CHANGED % "token.MAX_LIFE -= 1")
        self.assertEqual(code, 1, said)
        self.assertIn('["invalid", "lifetime-too-long", null]', said)
        self.assertIn("--only", said)

    def test_a_program_that_cannot_be_started(self):
        code, said = run("--count", "1", READING, "./no-such-program")
        self.assertEqual(code, 2, said)


if __name__ == "__main__":
    unittest.main()
