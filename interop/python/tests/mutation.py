"""Programs that are broken on purpose: this one, changed in one place at a time, and asked about a vector."""
import importlib
import json
import pathlib
import shutil
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE.parent / "capability_resolution"
FOLDER = HERE.parents[2] / "test-vectors"
sys.path.insert(0, str(FOLDER))

from consumer import judge, whole  # noqa: E402
from player import Player  # noqa: E402

# A scenario that takes longer than this many seconds is ended by its servers.
PATIENCE = 8


def vectors(pattern):
    """By id, those of the files of this name."""
    found = {}
    for path in sorted((FOLDER / "draft").glob(pattern)):
        found.update((vector["id"], vector) for vector in json.loads(path.read_text("utf-8"))["tests"])
    return found


def passes(program, vector):
    asked, player = whole(vector["input"]), None
    if "play" in asked:
        player = Player(asked.pop("play"))
        asked["connect"] = player.connect()
        alarm = threading.Timer(PATIENCE, player.over.set)
        alarm.start()
    try:
        question = {"id": vector["id"], "operation": vector["operation"], "input": asked}
        answer = program.answer_line(json.dumps(question).encode())
        if player:
            answer["output"] = {**(answer.get("output") or {}), "requests": player.seen(vector["input"])}
    finally:
        if player:
            alarm.cancel()
            player.close()
    return judge(vector, answer) is None


def broken(folder, number, module, old, new):
    """The program with the one change, as a package of another name."""
    package = pathlib.Path(folder, "broken_%s" % number)
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    path = package / (module + ".py")
    text = path.read_text("utf-8")
    if text.count(old) != 1:
        raise AssertionError("what is to be changed is not there, or there twice: %s" % old)
    path.write_text(text.replace(old, new), "utf-8")
    importlib.invalidate_caches()
    return importlib.import_module(package.name + ".protocol")
