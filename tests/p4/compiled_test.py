#!/usr/bin/python3
"""What p4/compile wrote and is committed belongs to the sources as they are now, on a machine without p4c, too."""
import importlib.machinery
import importlib.util
import json
import pathlib
import unittest

P4 = pathlib.Path(__file__).resolve().parents[2] / "p4"
loader = importlib.machinery.SourceFileLoader("p4_compile", str(P4 / "compile"))
compiler = importlib.util.module_from_spec(importlib.util.spec_from_loader("p4_compile", loader))
loader.exec_module(compiler)

AGAIN = "run p4/compile (it needs p4lang's p4c on PATH) and commit what it writes"


class Compiled(unittest.TestCase):
    def test_constants_are_those_of_the_data_planes_lists(self):
        for file, *rest in compiler.CONSTANTS:
            self.assertEqual((P4 / file).read_text(), compiler.constants(*rest), f"p4/{file} is stale: {AGAIN}")

    def test_artefacts_were_compiled_from_these_sources(self):
        manifest = json.loads((P4 / "compiled/manifest.json").read_text())
        self.assertEqual(manifest["programs"], compiler.PROGRAMS)
        self.assertEqual(manifest["sources_sha256"], compiler.sources_hash(), f"p4/compiled is stale: {AGAIN}")

    def test_both_compilers_agree_on_the_contract(self):
        for name in compiler.PROGRAMS:
            v1model, pna = ((P4 / f"compiled/{name}.{arch}.p4info.txtpb").read_text() for arch in ("v1model", "pna"))
            self.assertIn('arch: "v1model"', v1model)
            self.assertIn('arch: "pna"', pna)
            contract = (P4 / f"compiled/{name}.p4info.txtpb").read_text()
            self.assertEqual(compiler.without_architecture(v1model), contract)
            self.assertEqual(compiler.without_architecture(pna), contract)

    def test_swx_gets_no_metadata_that_its_offsets_cannot_reach(self):
        for name in compiler.PROGRAMS:
            spec = (P4 / f"compiled/{name}.spec").read_text()
            fields = spec.split("struct metadata_t {")[1].split("}")[0]
            bits = sum(int(line.split("<")[1].split(">")[0]) for line in fields.strip().splitlines())
            self.assertLessEqual(bits // 8, 255, f"{name}: metadata of {bits // 8} bytes")


if __name__ == "__main__":
    unittest.main()
