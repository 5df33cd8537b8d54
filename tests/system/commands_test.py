"""The scripts a user types: help, wrong use, and set-up without privileges."""

import os
import shutil
import tempfile
import unittest

import support
from support import ROOT, CommandTest, run

SCRIPTS = ["tests/run", "testbed/run", "testbed/setup/install", "testbed/setup/build"]


class Scripts(CommandTest):
    def test_help_says_how_to_use_it(self):
        for script in SCRIPTS:
            done = run(os.path.join(ROOT, script), "--help")
            self.assertEqual(done.returncode, 0, script)
            self.assertTrue(done.stdout.startswith(f"usage: {script}"), done.stdout)

    def test_a_wrong_option_is_one_clear_line(self):
        for script in ("tests/run", "testbed/run", "testbed/setup/install"):
            self.assert_one_clear_line(run(os.path.join(ROOT, script), "--nonsense"), 2, "--nonsense", "--help")

    def test_two_sanitizers_at_once_are_refused(self):
        self.assert_one_clear_line(run(f"{ROOT}/tests/run", "--asan", "--tsan"), 2, "exclude")

    def test_two_filters_are_refused(self):
        self.assert_one_clear_line(run(f"{ROOT}/tests/run", "one", "two"), 2, "one", "two")

    def test_an_unknown_scenario_names_the_known_ones(self):
        self.assert_one_clear_line(run(f"{ROOT}/testbed/run", "nonsense"), 2, "nonsense", "forward")
        self.assert_one_clear_line(run(f"{ROOT}/testbed/run", "../run"), 2, "../run")

    def test_another_switch_is_one_we_know_and_runs_no_scenario(self):
        self.assert_one_clear_line(run(f"{ROOT}/testbed/run", "--switch", "nonsense"), 2, "nonsense", "bmv2")
        self.assert_one_clear_line(run(f"{ROOT}/testbed/run", "--switch"), 2, "bmv2")
        self.assert_one_clear_line(run(f"{ROOT}/testbed/run", "--switch", "bmv2", "forward"), 2, "bmv2", "forward")

    def test_a_missing_bmv2_is_named_with_its_package(self):
        with tempfile.TemporaryDirectory() as folder:
            for program in ("bash", "dirname"):
                os.symlink(shutil.which(program), os.path.join(folder, program))
            done = run("/usr/bin/env", f"PATH={folder}", f"{ROOT}/testbed/run", "--switch", "bmv2")
        self.assert_one_clear_line(done, 1, "simple_switch_grpc is not on PATH", "p4lang-bmv2")

    def test_list_describes_every_scenario(self):
        done = run(f"{ROOT}/testbed/run", "--list")
        self.assertEqual(done.returncode, 0)
        for line, name in zip(done.stdout.splitlines(), sorted(os.listdir(f"{ROOT}/testbed/scenarios")), strict=True):
            self.assertRegex(line, rf"^  {name} +\w+ \w+")

    def test_an_unknown_need_names_the_known_ones(self):
        self.assert_one_clear_line(run(f"{ROOT}/testbed/setup/install", "nonsense"), 2, "nonsense", "build", "testbed")

    def test_ci_calls_exactly_the_test_command(self):
        with open(f"{ROOT}/.ci/run", encoding="utf-8") as script:
            lines = script.read().splitlines()
        self.assertEqual(lines, ["#!/usr/bin/env bash", 'exec "$(dirname "${BASH_SOURCE[0]}")/../tests/run"'])


class PackageLists(CommandTest):
    def test_every_package_says_why(self):
        folder = f"{ROOT}/testbed/setup"
        for name in os.listdir(folder):
            if name.startswith("packages."):
                with open(os.path.join(folder, name), encoding="utf-8") as packages:
                    for line in packages:
                        self.assertRegex(line, r"^(# |[a-z0-9][a-z0-9.+-]+ +# \S)", name)


@unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
class WithoutRoot(CommandTest):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        os.chmod(self.folder, 0o755)
        self.install = os.path.join(self.folder, "install")
        shutil.copy(f"{ROOT}/testbed/setup/install", self.install)
        self.addCleanup(shutil.rmtree, self.folder)

    def need(self, *packages):
        with open(os.path.join(self.folder, "packages.made-up"), "w", encoding="utf-8") as out:
            out.writelines(f"{package}  # a reason\n" for package in packages)

    def test_what_is_missing_is_named(self):
        self.need("base-files", "no-such-package")
        done = run(self.install, "made-up", user=65534, group=65534, extra_groups=[])
        self.assert_one_clear_line(done, 1, "root", "no-such-package")
        self.assertNotIn("base-files", done.stderr)

    def test_nothing_missing_needs_no_root(self):
        self.need("base-files", "dpkg")
        done = run(self.install, "made-up", user=65534, group=65534, extra_groups=[])
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_a_scenario_needs_root(self):
        copy = os.path.join(self.folder, "tree")
        shutil.copytree(f"{ROOT}/testbed", f"{copy}/testbed")
        done = run(f"{copy}/testbed/run", user=65534, group=65534, extra_groups=[])
        self.assert_one_clear_line(done, 1, "root")


if __name__ == "__main__":
    support.main()
