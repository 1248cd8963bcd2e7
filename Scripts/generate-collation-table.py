#!/usr/bin/env python3
"""Makes CUnicode/Collation.c from the root collation of CLDR and the Unicode Character Database.

Usage: generate-collation-table.py FOLDER >CUnicode/Collation.c
FOLDER holds UnicodeData.txt, PropList.txt and allkeys_CLDR.txt, plain or as collation/allkeys_CLDR*.txt.gz.
The tables:
- entries: scalar -> what it stands for (a two-stage trie of numbers of 32 bits, see `CUnicode.h`)
- pool: collation elements of expansions and contractions, and canonical decompositions
- ideographs: the ranges of unified ideographs, which have their order by a rule
"""
import glob, gzip, os, re, struct, sys, textwrap

SINGLE, EXPANSION, CONTRACTIONS, DECOMPOSITION = range(4)


def opened(folder, pattern):
    found = sorted(glob.glob(os.path.join(folder, pattern)) + glob.glob(os.path.join(folder, "collation", pattern + ".gz")))
    if not found:
        sys.exit(f"{pattern} is missing in {folder}")
    return (gzip.open if found[0].endswith(".gz") else open)(found[0], "rt", encoding="utf-8")


def decompositions(folder):
    single = {}
    with opened(folder, "UnicodeData.txt") as file:
        for line in file:
            fields = line.split(";")
            if fields[5] and not fields[5].startswith("<"):
                single[int(fields[0], 16)] = [int(part, 16) for part in fields[5].split()]

    def full(scalar):
        return [one for part in single[scalar] for one in full(part)] if scalar in single else [scalar]

    return {scalar: full(scalar) for scalar in single}


def element(primary, secondary, tertiary):
    assert primary < 1 << 16 and secondary < 1 << 9 and tertiary < 1 << 5
    return primary << 14 | secondary << 5 | tertiary


def main(folder):
    decomposed = decompositions(folder)
    elements, contractions, version = {}, {}, None
    with opened(folder, "allkeys_CLDR*.txt") as file:
        for line in file:
            if line.startswith("@version"):
                version = line.split()[1]
            line = line.split("#")[0]
            if ";" not in line:
                continue
            text, weights = line.split(";")
            scalars = [int(part, 16) for part in text.split()]
            found = [element(*(int(part, 16) for part in match))
                     for match in re.findall(r"\[[.*]([0-9A-F]+)\.([0-9A-F]+)\.([0-9A-F]+)\]", weights)]
            # Texts are decomposed before.
            if any(scalar in decomposed for scalar in scalars):
                continue
            if len(scalars) == 1:
                elements[scalars[0]] = found
            else:
                contractions.setdefault(scalars[0], []).append((scalars[1:], found))
    ideographs = []
    with opened(folder, "PropList.txt") as file:
        for line in file:
            fields = [field.strip() for field in line.split("#")[0].split(";")]
            if len(fields) == 2 and fields[1] == "Unified_Ideograph":
                first, _, last = fields[0].partition("..")
                ideographs.append((int(first, 16), int(last or first, 16)))
    pool, place_of = [], {}

    def place(numbers):
        key = tuple(numbers)
        if key not in place_of:
            place_of[key] = len(pool)
            pool.extend(numbers)
        assert place_of[key] < 1 << 30
        return place_of[key]

    values = [0] * 0x110000
    for scalar, found in elements.items():
        if scalar in contractions:
            continue
        if len(found) == 1 and found[0] != 0:
            values[scalar] = SINGLE << 30 | found[0]
        else:
            found = [one for one in found if one != 0]
            values[scalar] = EXPANSION << 30 | place([len(found)] + found)
    for scalar, suffixes in contractions.items():
        own = elements[scalar]
        numbers = [len(own)] + own + [len(suffixes)]
        # The longest that fits is taken.
        for suffix, found in sorted(suffixes, key=lambda pair: (-len(pair[0]), pair[0])):
            numbers += [len(suffix)] + suffix + [len(found)] + found
        values[scalar] = CONTRACTIONS << 30 | place(numbers)
    for scalar, parts in decomposed.items():
        values[scalar] = DECOMPOSITION << 30 | place([len(parts)] + parts)
    blocks, number_of, numbers = [], {}, []
    for start in range(0, 0x110000, 128):
        block = tuple(values[start:start + 128])
        if block not in number_of:
            number_of[block] = len(blocks)
            blocks.append(block)
        numbers.append(number_of[block])
    print_source(version, [
        ("collation_blocks", 16, numbers, "Trie of entries: the number of the block of 128 scalars."),
        ("collation_values", 32, [one for block in blocks for one in block], "Trie of entries: the blocks."),
        ("collation_pool", 32, pool, "Collation elements, contractions and decompositions."),
        ("collation_ideographs", 32, [one for pair in sorted(ideographs) for one in pair],
         "The first and the last of each range of unified ideographs; sorted."),
    ])


def print_source(version, tables):
    print("// Made by Scripts/generate-collation-table.py; do not edit.")
    print("// From the root collation of CLDR and the Unicode Character Database; https://www.unicode.org/terms_of_use.html\n")
    print('#include "CUnicode.h"\n')
    print(f'const char *cunicode_collation_version(void) {{ return "{version}"; }}')
    for name, bits, numbers, comment in tables:
        print(f"\n// {comment}")
        print(f"static const uint{bits}_t {name}[] = {{")
        print("\n".join(textwrap.wrap(", ".join(map(str, numbers)), 118, initial_indent="  ", subsequent_indent="  ")))
        print("};\n")
        print(f"CUnicodeTable{bits} cunicode_{name}(void) {{")
        print(f"  return (CUnicodeTable{bits}){{{name}, sizeof {name} / sizeof *{name}}};\n}}")


main(sys.argv[1])
