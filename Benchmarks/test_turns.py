"""Tests of drivers that take turns: python3 -m unittest discover Benchmarks"""
import contextlib
import io
import sys
import unittest

import turns

DRIVER = '''
import json, sys
name, kinds, fails_at = sys.argv[1], sys.argv[2].split(','), int(sys.argv[3])
print(*kinds, sep="\\n", end="\\n\\n", flush=True)
for number, line in enumerate(sys.stdin):
    if number == fails_at:
        sys.exit(3)
    print(json.dumps({"op": "query", "engine": name, "kind": line.strip()}))
    print(flush=True)
print(json.dumps({"op": "memory", "engine": name}))
'''


def driver(name, kinds, fails_at=-1):
    return turns.Driver(name, [sys.executable, '-c', DRIVER, name, kinds, str(fails_at)])


def taken(drivers, rounds, long_turn=60.0, very_long_turn=60.0):
    """The lines, and what was said of the drivers."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        lines = list(turns.take_turns(drivers, rounds, long_turn, very_long_turn))
    for one in drivers:
        one.process.stdout.close()
    return [(line['engine'], line.get('kind', line['op']), line['round']) for line in lines], said.getvalue()


class Turns(unittest.TestCase):
    def test_each_kind_is_asked_of_those_that_know_it_round_by_round(self):
        lines, said = taken([driver('a', 'or2,phrase'), driver('b', 'phrase,infix')], 1)
        expected = [('a', 'or2', number) for number in (1, 2, 3)]
        # Who begins changes.
        expected += [(name, 'phrase', number) for number, names in ((1, 'ab'), (2, 'ba'), (3, 'ab')) for name in names]
        expected += [('b', 'infix', number) for number in (1, 2, 3)] + [('a', 'memory', 1), ('b', 'memory', 1)]
        self.assertEqual(lines, expected)
        self.assertIn('phrase: 2 in turns', said)

    def test_drivers_whose_turns_are_long_are_asked_less_often(self):
        # Every turn is longer than none at all.
        lines, _ = taken([driver('a', 'or2'), driver('b', 'or2')], 2, long_turn=0)
        self.assertEqual(lines[:-2], [('a', 'or2', 1), ('b', 'or2', 1), ('b', 'or2', 2), ('a', 'or2', 2)])
        lines, _ = taken([driver('a', 'or2'), driver('b', 'or2')], 2, long_turn=0, very_long_turn=0)
        self.assertEqual(lines[:-2], [('a', 'or2', 1), ('b', 'or2', 1)])

    def test_a_driver_that_fails_is_named_and_the_others_go_on(self):
        lines, said = taken([driver('broken', 'or2,phrase', fails_at=1), driver('whole', 'or2,phrase')], 1)
        self.assertEqual([line for line in lines if line[0] == 'broken'], [('broken', 'or2', 1)])
        self.assertEqual([line[1:] for line in lines if line[0] == 'whole'],
                         [(kind, number) for kind in ('or2', 'phrase') for number in (1, 2, 3)] + [('memory', 1)])
        self.assertIn('broken query ended with 3', said)

    def test_half_a_line_of_a_driver_that_dies_is_no_figure(self):
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            self.assertEqual(turns.read(['{"op": "query"}', '{"op": "qu', 'said on the way']), [{'op': 'query'}])
        self.assertIn('{"op": "qu', said.getvalue())


if __name__ == '__main__':
    unittest.main()
