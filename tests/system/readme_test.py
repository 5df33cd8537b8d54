"""What the README tells a user to type: it exists, its options exist, and what can be run here is run."""

import os
import re
import shlex

import support
from support import ROOT, SLUICED, CommandTest, DaemonTest, run

SCRIPTS = ("tests/run", "testbed/run", "tests/bench/run", "testbed/setup/install", "testbed/setup/build")


def readme():
    with open(f"{ROOT}/README.md", encoding="utf-8") as text:
        return text.read()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", readme(), re.MULTILINE | re.DOTALL)


def in_blocks():
    """Every command line of the README's shell blocks, without comments."""
    lines = [line.split("  #")[0].strip() for block in blocks("sh") for line in block.splitlines()]
    return [line for line in lines if line]


def typed():
    """The same, and those in running text."""
    return in_blocks() + re.findall(r"`((?:sluiced?|\w+/[\w/]*run|testbed/setup/\w+) [^`]*)`", readme())


class Readme(DaemonTest):
    def test_programs_know_the_options_that_are_printed(self):
        programs = {script: os.path.join(ROOT, script) for script in SCRIPTS} | {"sluiced": SLUICED}
        seen = 0
        for line in typed():
            name, *words = shlex.split(line)
            if name in programs:
                text = run(programs[name], "--help").stdout
                for option in (word for word in words if word.startswith("--")):
                    self.assertIn(option, text, line)
                seen += 1
        self.assertGreater(seen, 3)

    def test_every_command_is_one_we_know(self):
        for line in typed():
            self.assertIn(shlex.split(line)[0], (*SCRIPTS, "sluice", "sluiced", "apt-get", "git", "cd", "ethtool"), line)

    def test_sluice_commands_run(self):
        self.start()
        asked = [shlex.split(line)[1:] for line in in_blocks() if line.startswith("sluice ")]
        self.assertGreater(len(asked), 6)
        for words in asked:
            if "--watch" in words:  # ends by Ctrl-C only
                self.assertIn("--watch", self.sluice(*words[:-2], "--help").stdout)
                continue
            done = self.sluice(*words)
            self.assertEqual(done.returncode, 0, f"{words}: {done.stderr}")
            self.assertNotEqual(done.stdout, "", words)

    def test_the_configuration_is_valid(self):
        (text,) = blocks("textproto")
        done = run(SLUICED, "--config", self.config(text), "--check")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_links_and_folders_exist(self):
        for target in re.findall(r"\]\(([^)#:]+)\)", readme()) + re.findall(r"`((?!build/)[a-z]\w*/[\w/]*/)`", readme()):
            self.assertTrue(os.path.exists(os.path.join(ROOT, target)), target)


class Contributing(CommandTest):
    def test_files_that_are_named_exist(self):
        with open(f"{ROOT}/CONTRIBUTING.md", encoding="utf-8") as text:
            named = re.findall(r"`([\w.]+/[\w./]+)`", text.read())
        real = [path for path in named if not re.search("NAME|NEED", path)]
        self.assertGreater(len(real), 10)
        for path in real:
            self.assertTrue(os.path.exists(os.path.join(ROOT, path)), path)


if __name__ == "__main__":
    support.main()
