"""Tests of what decides whether counts pass: python3 -m unittest discover Benchmarks"""
import json
import pathlib
import tempfile
import types
import unittest
from unittest import mock

import gates

PROFILE = """desc: Trigger: Client Request: search-and-2

summary: 5000000

fn=(7) $s10TextSearch5QueryV
12 5
cfn=(9) $s10TextSearch13PostingsChunkV15decodeDocuments33_7D59LL
calls=3 40
12 900
cfn=(10) malloc
calls=50 0
12 700
cfn=(11) cldb_get
calls=6 90
12 300
cfn=(12) cldb_iterator_seek
calls=5 90
12 200
fn=(10)
cfn=(9)
calls=4 40
15 100

totals: 4173246
"""


class Profiles(unittest.TestCase):
    def read(self, profiles):
        """What is counted of these profiles, as if callgrind had written them."""
        with tempfile.TemporaryDirectory() as folder, mock.patch('gates.subprocess.run'):
            work = pathlib.Path(folder)

            def run(*_, **__):
                for number, profile in enumerate(profiles):
                    (work / f'callgrind-operations.{number}').write_text(profile)
                return [{'name': 'search-and-2', 'list_blocks': 0.7}]

            measured = {name: {} for name in gates.COUNTED}
            with mock.patch('gates.run', run):
                gates.count_by_valgrind(types.SimpleNamespace(work=work, benchmark=''), work / 'probe.so', measured, gates.COUNTED, 'operations')
            return measured

    def test_calls_of_a_function_are_found_by_its_name_and_by_its_number(self):
        self.assertEqual(gates.calls(PROFILE, gates.DECODER), 7)
        self.assertEqual(gates.calls(PROFILE, 'malloc'), 50)
        self.assertEqual(gates.calls(PROFILE, 'free'), 0)

    def test_counts_are_those_of_one_search(self):
        measured = self.read([PROFILE.replace('search-and-2', name) for name in gates.COUNTED])
        self.assertEqual(measured['search-and-2'], {'instructions': round(4173246 / 20), 'decoded': 7 / 20, 'decoded_part': 7 / 20 / 0.7, 'reads': 11 / 20})

    def test_searches_of_long_lists_are_counted_under_names_of_their_own(self):
        def count(options, library, measured, names, folder, arguments=()):
            for name in names:
                measured[name]['instructions'] = 2 if arguments else 1
        measured = {name: {} for name in gates.COUNTED}
        with mock.patch('gates.run') as run, mock.patch('gates.count_by_valgrind', count):
            gates.instructions(None, None, measured)
        self.assertEqual(run.call_args.args[2], ['--size', '30', '--prepare'])
        self.assertEqual(measured['search-term-common'], {'instructions': 1})
        self.assertEqual(measured['search-or-5-common 30 MB'], {'instructions': 2})
        self.assertEqual(len(measured), len(gates.COUNTED) + len(gates.LONG_LISTS))

    def test_an_operation_that_callgrind_does_not_tell_apart_is_an_error(self):
        with self.assertRaisesRegex(SystemExit, 'no instructions of search-term-common'):
            self.read([PROFILE])

    def test_a_function_that_is_gone_is_an_error(self):
        for name in ('cldb_', 'decodeDocuments'):
            with self.assertRaisesRegex(SystemExit, 'where has the function gone'):
                self.read([PROFILE.replace(name, 'other_')])


class Verdict(unittest.TestCase):
    limits = {'search-or-2': {'instructions': 100, 'decoded': 5}, 'open': {'blocks': 8}}

    def marks(self, measured):
        lines, failures = gates.verdict(measured, self.limits)
        marked = sorted(line.split()[0] for line in lines if not line.startswith(' '))
        self.assertEqual(failures, len(marked))
        return marked

    def test_counts_within_their_thresholds_pass(self):
        self.assertEqual(self.marks({'search-or-2': {'instructions': 100, 'decoded': 0}, 'open': {'blocks': 8}}), [])

    def test_what_is_over_missing_or_new_fails(self):
        self.assertEqual(self.marks({'search-or-2': {'instructions': 101, 'decoded': 5}, 'open': {'blocks': 8}}), ['OVER'])
        self.assertEqual(self.marks({'search-or-2': {'decoded': 5}, 'open': {'blocks': 8}}), ['MISSING'])
        self.assertEqual(self.marks({'search-or-2': {'instructions': 1, 'decoded': 5}}), ['MISSING'])
        self.assertEqual(self.marks({**self.limits, 'search-not': {'blocks': 1}}), ['NEW'])

    def test_nothing_is_recorded_while_a_count_is_missing(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch('gates.THRESHOLDS', pathlib.Path(folder) / 'gates.json'):
            with self.assertRaisesRegex(SystemExit, 'no count of search-or-2 instructions'):
                gates.record({'search-or-2': {'decoded': 5}, 'open': {'blocks': 8}}, self.limits)
            self.assertFalse(gates.THRESHOLDS.exists())
            gates.record(self.limits, self.limits)
            self.assertEqual(json.loads(gates.THRESHOLDS.read_text())['search-or-2'], {'instructions': 103, 'decoded': 5.15})


if __name__ == '__main__':
    unittest.main()
