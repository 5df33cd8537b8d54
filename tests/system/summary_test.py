"""The count under a run of tests: a small project of made-up tests through the real ctest."""

import os
import shutil
import tempfile

import support
from support import ROOT, CommandTest, run

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(made_up LANGUAGES NONE)
enable_testing()
"""

GTEST_MIXED = """cat <<'END'
[ RUN      ] Suite.passes
[       OK ] Suite.passes (0 ms)
[ RUN      ] Suite.skips
some.cpp:4: Skipped
no GPU here

[  SKIPPED ] Suite.skips (0 ms)
[  PASSED  ] 1 test.
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] Suite.skips
END
"""

GTEST_FAILS = """cat <<'END'
[ RUN      ] Values/Suite.fails/0
[  FAILED  ] Values/Suite.fails/0, where GetParam() = 1 (0 ms)
[  FAILED  ] 1 test, listed below:
[  FAILED  ] Values/Suite.fails/0, where GetParam() = 1
END
exit 1
"""

GTEST_CRASHES = "echo '[       OK ] Suite.first (0 ms)'; echo '[ RUN      ] Suite.second'; kill -ABRT $$"


class Summary(CommandTest):
    def summary(self, **tests):
        """Runs scripts as tests; unit__name is unit.name; None is a program that does not exist."""
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        with open(os.path.join(folder, "CMakeLists.txt"), "w", encoding="utf-8") as project:
            project.write(PROJECT)
            for key, script in tests.items():
                name = key.replace("__", ".")
                command = "/nonexistent/program" if script is None else f"sh {folder}/{name}.sh"
                project.write(f"add_test(NAME {name} COMMAND {command})\n")
                project.write(f"set_tests_properties({name} PROPERTIES SKIP_RETURN_CODE 77)\n")
                with open(os.path.join(folder, f"{name}.sh"), "w", encoding="utf-8") as out:
                    out.write(script or "")
        configured = run("cmake", "-S", folder, "-B", folder)
        self.assertEqual(configured.returncode, 0, configured.stderr)
        junit = os.path.join(folder, "junit.xml")
        run("ctest", "--test-dir", folder, "--output-junit", junit)
        return run("/usr/bin/python3", f"{ROOT}/tests/support/summary.py", junit)

    def assert_count(self, done, count, code):
        self.assertEqual(done.stdout.splitlines()[-1:], [count], done.stdout + done.stderr)
        self.assertEqual(done.returncode, code)

    def test_passes_and_skips_are_counted_and_skips_say_why(self):
        done = self.summary(unit__plain="true", unit__gtest=GTEST_MIXED, system__skip="echo needs root; exit 77")
        self.assert_count(done, "2 passed, 0 failed, 2 skipped", 0)
        self.assertIn("unit.gtest Suite.skips: no GPU here", done.stdout)
        self.assertIn("system.skip: needs root", done.stdout)
        self.assertRegex(done.stdout, r"(?s)Time by group\n.*  unit +\d+\.\d s")

    def test_a_failed_case_fails_the_run(self):
        self.assert_count(self.summary(unit__gtest=GTEST_FAILS), "0 passed, 1 failed, 0 skipped", 1)

    def test_a_crash_between_cases_is_a_failure(self):
        self.assert_count(self.summary(unit__gtest=GTEST_CRASHES), "1 passed, 1 failed, 0 skipped", 1)

    def test_a_plain_failure_is_a_failure(self):
        self.assert_count(self.summary(unit__plain="exit 1"), "0 passed, 1 failed, 0 skipped", 1)

    def test_a_program_that_is_not_there_is_a_failure_and_no_skip(self):
        self.assert_count(self.summary(unit__missing=None), "0 passed, 1 failed, 0 skipped", 1)


if __name__ == "__main__":
    support.main()
