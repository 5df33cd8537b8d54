"""Wrong use of sluiced and sluice: one clear line and a non-zero exit code; and how sluiced ends."""

import json
import os
import signal

import support
from support import NULL_PORTS as CONFIG
from support import SLUICE, SLUICED, DaemonTest, run


class RefusalTest(DaemonTest):
    def assert_refused(self, done, *words):
        self.assertNotEqual(done.returncode, 0)
        self.assertGreater(done.returncode, 0, "ended by a signal")
        self.assert_one_clear_line(done, done.returncode, *words)

    def assert_config_refused(self, text, *words):
        self.assert_refused(run(SLUICED, "--config", self.config(text), "--check"), *words)


class Arguments(RefusalTest):
    def test_help_exits_with_zero(self):
        for program in (SLUICED, SLUICE):
            done = run(program, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn(os.path.basename(program), done.stdout)

    def test_a_wrong_option(self):
        self.assert_refused(run(SLUICED, "--nonsense"), "--nonsense")
        self.assert_refused(run(SLUICE, "--nonsense"), "--nonsense")
        self.assert_refused(run(SLUICE, "nonsense"), "nonsense")
        self.assert_refused(run(SLUICE, "drops", "--nonsense"), "--nonsense")

    def test_no_configuration(self):
        self.assert_refused(run(SLUICED), "--config")
        self.assert_refused(run(SLUICED, "--config", "/nonexistent/file"), "/nonexistent/file")

    def test_no_daemon(self):
        for command in (["ports"], ["graph"], ["drops"], ["counters"], ["table", "dump"]):
            self.assert_refused(self.sluice(*command), self.socket)


class Configuration(RefusalTest):
    def test_a_good_one_passes_in_both_forms(self):
        done = run(SLUICED, "--config", self.config(CONFIG), "--check")
        self.assertEqual(done.returncode, 0, done.stderr)
        as_json = {"lcores": [{"id": 0, "idle": "SLEEP"}],
                   "ports": [{"name": "left", "devargs": "net_null0,no-rx=1", "mode": "ROUTED", "addresses": ["10.0.1.1/24"]}]}
        done = run(SLUICED, "--config", self.config(json.dumps(as_json), "config.json"), "--check")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_typo_in_a_field(self):
        self.assert_config_refused(CONFIG.replace("devargs", "devarg"), "devarg", ":4:")
        self.assert_config_refused(CONFIG.replace("SLEEP", "SLEPT"), "SLEPT")

    def test_a_typo_in_json(self):
        path = self.config('{"prots": []}', "config.json")
        self.assert_refused(run(SLUICED, "--config", path, "--check"), "prots")

    def test_a_value_that_is_no_address(self):
        self.assert_config_refused(CONFIG.replace("10.0.2.1/24", "10.0.2.1/33"), "addresses", "10.0.2.1/33")

    def test_two_ports_of_one_name(self):
        self.assert_config_refused(CONFIG.replace('"right"', '"left"'), "name", "left")

    def test_an_entry_of_an_unknown_table(self):
        self.assert_config_refused(CONFIG + 'entries { table: "ipv5_lpm" action: "via" }', "ipv5_lpm")

    def test_an_entry_to_an_unknown_port(self):
        entry = """entries { table: "ipv4_lpm" match { field: "dst" value: "10.9.0.0/16" } action: "via"
                   params { name: "port" value: "middle" } params { name: "next_hop" value: "10.0.2.2" } }"""
        self.assert_config_refused(CONFIG + entry, "middle")


class Daemon(RefusalTest):
    def test_a_port_that_does_not_exist(self):
        config = CONFIG.replace("net_null1,no-rx=1", "net_af_packet1,iface=nosuch0")
        self.assert_refused(run(*self.sluiced(config)), "right", "nosuch0")
        self.assertFalse(os.path.exists(self.socket))

    def test_a_driver_that_does_not_exist(self):
        self.assert_refused(run(*self.sluiced(CONFIG.replace("net_null1,no-rx=1", "net_nosuch1"))), "right", "net_nosuch1")

    def test_a_second_instance_is_refused_and_the_first_goes_on(self):
        first = self.start()
        self.assert_refused(run(*self.sluiced()), self.socket)
        self.assertIsNone(first.poll())
        self.assertEqual(self.sluice("ports").returncode, 0)

    def test_a_socket_left_by_a_killed_instance_is_taken_over(self):
        killed = self.start()
        killed.kill()
        killed.wait(60)
        self.assertTrue(os.path.exists(self.socket))
        self.start()

    def test_signals_end_it_with_zero_and_the_socket_goes(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            process = self.start()
            process.send_signal(number)
            self.assertEqual(process.wait(60), 0)
            self.assertFalse(os.path.exists(self.socket))

    def test_wrong_questions(self):
        self.start()
        self.assert_refused(self.sluice("table", "dump", "ipv5_lpm"), "ipv5_lpm")
        self.assert_refused(self.sluice("trace", "--port", "middle", "00"), "middle")
        self.assert_refused(self.sluice("trace", "--port", "left", "not hex"), "not hex")


if __name__ == "__main__":
    support.main()
