"""Drivers that take turns, kind of query by kind: a machine that is slower for seconds, as one that others share is, is so for all of them."""
import json
import subprocess
import sys
import time

# A driver whose turn takes longer, in seconds, is asked a third as often, and one whose turn takes
# very long only once: the comparison is to end.
LONG_TURN, VERY_LONG_TURN = 1.0, 15.0


class Driver:
    """A driver that waits for names of kinds, and answers each with its lines."""

    def __init__(self, name, command):
        self.name = name
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.ended = False
        self.kinds = self.answer()

    def answer(self):
        """What comes until an empty line."""
        lines = []
        for line in self.process.stdout:
            line = line.rstrip('\n')
            if not line:
                return lines
            lines.append(line)
        self.ended = True
        return lines

    def ask(self, kind):
        """The lines of one turn; none of a driver that has ended."""
        if self.ended:
            return []
        try:
            self.process.stdin.write(kind + '\n')
            self.process.stdin.flush()
        except BrokenPipeError:
            self.ended = True
            return []
        return read(self.answer())

    def end(self):
        """What it says at its end, such as what memory it has."""
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        lines = read(self.process.stdout)
        if self.process.wait():
            print(f'compare: {self.name} query ended with {self.process.returncode}', file=sys.stderr)
        return lines


def read(lines):
    """The figures in a driver's lines; a line that one left half-written as it died is none."""
    figures = []
    for line in lines:
        try:
            if line.startswith('{'):
                figures.append(json.loads(line))
        except json.JSONDecodeError:
            print(f'compare: not a line of figures: {line[:80]}', file=sys.stderr)
    return figures


def take_turns(drivers, rounds, long_turn=LONG_TURN, very_long_turn=VERY_LONG_TURN):
    """The lines of all drivers with the round that each is of: each kind is asked of one driver after the other, three times as often as there are
    rounds; as often, of those that had a long turn; once, of those that had a very long one."""
    for kind in dict.fromkeys(kind for driver in drivers for kind in driver.kinds):
        start = time.monotonic()
        asked = [driver for driver in drivers if kind in driver.kinds]
        turns = dict.fromkeys(asked, 3 * rounds)
        for number in range(1, 3 * rounds + 1):
            # Each begins in turn, so that none always comes behind the same one.
            first = (number - 1) % len(asked)
            for driver in asked[first:] + asked[:first]:
                if number > turns[driver]:
                    continue
                turn = time.monotonic()
                lines = driver.ask(kind)
                took = time.monotonic() - turn
                turns[driver] = min(turns[driver], 1 if took > very_long_turn else rounds if took > long_turn else 3 * rounds)
                yield from ({**line, 'round': number} for line in lines)
        print(f'  {kind}: {len(asked)} in turns, {time.monotonic() - start:.1f} s', file=sys.stderr)
    for driver in drivers:
        yield from ({**line, 'round': 1} for line in driver.end())
