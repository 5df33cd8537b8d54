"""What a scenario prints: steps, one line a check, and the verdict."""


class Report:
    def __init__(self):
        self.failed = []
        self.passed = 0

    def title(self, text):
        print(f"\n{text}", flush=True)

    def say(self, text):
        print(f"  {text}", flush=True)

    def check(self, what, good, detail=""):
        print(f"  {'ok  ' if good else 'FAIL'}  {what}{': ' + detail if detail else ''}", flush=True)
        if good:
            self.passed += 1
        else:
            self.failed.append(what)
        return good

    def verdict(self):
        """Prints the last line and gives the exit code."""
        print()
        if self.failed or not self.passed:
            print(f"FAIL: {len(self.failed)} of {self.passed + len(self.failed)} checks failed: {', '.join(self.failed)}")
            return 1
        print(f"PASS: {self.passed} checks")
        return 0
