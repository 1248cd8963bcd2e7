#!/usr/bin/env python3
"""Makes CUnicode/Tables.c from the Unicode Character Database.

Usage: generate-unicode-tables.py FOLDER >CUnicode/Tables.c
FOLDER holds UnicodeData.txt, CaseFolding.txt, CompositionExclusions.txt, WordBreakProperty.txt,
GraphemeBreakProperty.txt, Scripts.txt, DerivedCoreProperties.txt, emoji-data.txt (or emoji/emoji-data.txt), ReadMe.txt.
The tables:
- properties: scalar -> word-break class, grapheme-break class, combining class and flags (a two-stage trie of records)
- folds: scalar -> what it folds to (a two-stage trie of indexes into a pool)
- compositions: pairs of scalars that both survive folding -> their canonical composite
- steps: scalar -> one step of folding and its kind, for indexes that leave kinds of folding out; and all compositions
"""
import os, re, struct, sys, textwrap

VERSION_OF_TABLES = 4
WORD_BREAK = ["Other", "CR", "LF", "Newline", "Extend", "ZWJ", "Format", "Katakana", "Hebrew_Letter", "ALetter",
              "Single_Quote", "Double_Quote", "MidNumLet", "MidLetter", "MidNum", "Numeric", "ExtendNumLet",
              "WSegSpace", "Regional_Indicator"]
GRAPHEME_BREAK = ["Other", "CR", "LF", "Control", "Extend", "ZWJ", "Regional_Indicator", "Prepend", "SpacingMark",
                  "L", "V", "T", "LV", "LVT"]
# Scripts without spaces. Letters that UAX #29 leaves to dictionaries or cuts one by one count as
# such too.
SPACELESS = {"Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan", "Tai_Le", "New_Tai_Lue",
             "Tai_Tham", "Tai_Viet", "Ahom", "Tangut", "Khitan_Small_Script", "Nushu"}
STRIPPED_SCRIPTS = {"Inherited", "Common", "Latin", "Greek", "Cyrillic", "Hebrew", "Arabic", "Syriac", "Coptic"}
# A mark that tells borrowed sounds, and that people leave out.
STRIPPED_MARKS = {0x093C}  # Devanagari nukta
KEPT_MARKS = {0x3099, 0x309A}  # voicing of kana
# Korean letters typed alone stay so: as parts of syllables they would run into one character with
# their neighbours.
LONE_JAMO = range(0x3131, 0x318F)
# Letters that Unicode does not decompose but that people type plainly.
LETTERS = {
    "ø": "o", "đ": "d", "ħ": "h", "ł": "l", "ı": "i", "œ": "oe", "þ": "th", "æ": "ae", "ð": "d", "ŋ": "n", "ŧ": "t",
    "ĸ": "k", "ƀ": "b", "ɓ": "b", "ƈ": "c", "ɗ": "d", "ƒ": "f", "ǥ": "g", "ɠ": "g", "ɨ": "i", "ɉ": "j", "ƙ": "k",
    "ƚ": "l", "ɲ": "n", "ƞ": "n", "ɵ": "o", "ƥ": "p", "ɍ": "r", "ƭ": "t", "ʉ": "u", "ʋ": "v", "ɏ": "y", "ƴ": "y",
    "ƶ": "z", "ȥ": "z", "ȷ": "j", "ɛ": "e", "ɔ": "o", "ə": "e", "ǝ": "e", "ґ": "г", "ғ": "г", "қ": "к", "ҡ": "к",
    "ң": "н", "ө": "о", "ү": "у", "ұ": "у", "ҳ": "х", "һ": "х", "җ": "ж", "ҙ": "з", "ҫ": "с",
    "\u2018": "'", "\u2019": "'", "\u201b": "'", "\u02bc": "'", "\u02bb": "'", "\u02b9": "'", "\u2032": "'",
    "\u055a": "'", "\ua78c": "'", "\u07f4": "'", "\u07f5": "'",
    "\u05f3": "'", "\u05f4": '"',  # Hebrew geresh and gershayim
    "\u0649": "\u064a", "\u06cc": "\u064a", "\u06a9": "\u0643", "\u0671": "\u0627",  # alef maqsura, yeh, keheh, alef wasla
}
# Thai and Lao am: its parts would be two characters where people see and type one.
AM = {0x0E33, 0x0EB3}
# The first part of one that is written in two: `Folder` sees to what follows.
NIKHAHIT = {0x0E4D, 0x0ECD}
# Planes that Unicode keeps for ideographs: those that it does not know yet are taken as such.
IDEOGRAPHS = [range(0x20000, 0x2FFFE), range(0x30000, 0x3FFFE)]


# Kinds of steps. Stored; never renumber.
CANONICAL, WIDTH, COMPATIBILITY, CASE, LETTER, PUNCTUATION, DIACRITIC, POINT, INVISIBLE = range(1, 10)
# Marks for reading aloud that most people do not write, by block: Hebrew, Arabic, Syriac; and
# tatweel.
POINTS = [range(0x591, 0x5C8), range(0x610, 0x61B), range(0x640, 0x641), range(0x64B, 0x660), range(0x670, 0x671),
          range(0x6D6, 0x6EE), range(0x711, 0x712), range(0x730, 0x74B), range(0x898, 0x8A0), range(0x8CA, 0x900)]


def lines(folder, name):
    for candidate in (os.path.join(folder, name), os.path.join(folder, "emoji", name)):
        if os.path.exists(candidate):
            with open(candidate, encoding="utf-8") as file:
                return [line.split("#")[0].strip() for line in file if line.split("#")[0].strip()]
    sys.exit(f"{name} is missing in {folder}")


def ranges(folder, name, wanted=None):
    for line in lines(folder, name):
        fields = [field.strip() for field in line.split(";")]
        first, _, last = fields[0].partition("..")
        if wanted is None or fields[1] == wanted:
            for scalar in range(int(first, 16), int(last or first, 16) + 1):
                yield scalar, fields[1]


def load(folder):
    category, combining, decomposition, digits, lower = {}, {}, {}, {}, {}
    start = None
    for line in lines(folder, "UnicodeData.txt"):
        fields = line.split(";")
        scalar = int(fields[0], 16)
        if fields[1].endswith("First>"):
            start = scalar
        span = range(start, scalar + 1) if fields[1].endswith("Last>") else [scalar]
        for one in span:
            category[one], combining[one] = fields[2], int(fields[3])
            if fields[2] == "Nd" and one > 0x39:
                digits[one] = [0x30 + int(fields[6])]
        if fields[13]:
            lower[scalar] = int(fields[13], 16)
        if fields[5]:
            parts = fields[5].split()
            compat = parts[0] if parts[0].startswith("<") else ""
            decomposition[scalar] = (compat, [int(part, 16) for part in parts[bool(compat):]])
    return category, combining, decomposition, digits, lower


def main(folder):
    category, combining, decomposition, digits, lower = load(folder)
    word_break = dict(ranges(folder, "WordBreakProperty.txt"))
    grapheme_break = dict(ranges(folder, "GraphemeBreakProperty.txt"))
    script = dict(ranges(folder, "Scripts.txt"))
    for scalar in (s for plane in IDEOGRAPHS for s in plane if s not in category):
        category[scalar], script[scalar] = "Lo", "Han"
    ignorable = {s for s, _ in ranges(folder, "DerivedCoreProperties.txt", "Default_Ignorable_Code_Point")}
    pictographic = {s for s, _ in ranges(folder, "emoji-data.txt", "Extended_Pictographic")}
    excluded = {int(line.split()[0], 16) for line in lines(folder, "CompositionExclusions.txt")}
    case = {}
    for line in lines(folder, "CaseFolding.txt"):
        fields = [field.strip() for field in line.split(";")]
        if fields[1] in "CF":
            case[int(fields[0], 16)] = [int(part, 16) for part in fields[2].split()]
    letters = {ord(key): [ord(c) for c in value] for key, value in LETTERS.items()}

    def is_hangul(scalar):
        return 0xAC00 <= scalar <= 0xD7A3

    def is_ignored(scalar):
        return scalar == 0x640 or scalar in ignorable and scalar not in range(0x3164, 0x3165) and scalar not in (
            0x115F, 0x1160, 0xFFA0)

    def is_stripped(scalar):
        return scalar in STRIPPED_MARKS or (category.get(scalar) in ("Mn", "Me") and script.get(scalar, "Unknown") in STRIPPED_SCRIPTS
                and scalar not in KEPT_MARKS)

    def step_of_kind(scalar):
        """One step of folding and its kind, or None."""
        if is_ignored(scalar) or is_stripped(scalar):
            if any(scalar in block for block in POINTS):
                return POINT, []
            return (INVISIBLE if is_ignored(scalar) else DIACRITIC), []
        if scalar in decomposition and scalar not in LONE_JAMO and scalar not in AM:
            compat, parts = decomposition[scalar]
            kind = CANONICAL if not compat else WIDTH if compat in ("<wide>", "<narrow>") else COMPATIBILITY
            return kind, parts
        if scalar in case:
            return CASE, case[scalar]
        if scalar in digits:
            return COMPATIBILITY, digits[scalar]
        if scalar in letters:
            return (PUNCTUATION if letters[scalar] in ([0x27], [0x22]) else LETTER), letters[scalar]
        return None

    def fold(scalar):
        done, todo = [], [scalar]
        while todo:
            next_one = todo.pop(0)
            step = step_of_kind(next_one)
            result = None if step is None else step[1]
            if result is None:
                done.append(next_one)
            else:
                todo = list(result) + todo
        # Signs that stand on a space for want of a letter do without it.
        if category.get(scalar, "Cn")[0] in "LMN":
            done = [one for one in done if one != 0x20]
        # Canonical order of what is left.
        index = 0
        while index < len(done):
            end = index
            while end < len(done) and combining.get(done[end], 0) > 0:
                end += 1
            done[index:end] = sorted(done[index:end], key=lambda s: combining.get(s, 0))
            index = max(end, index + 1)
        return done

    scalars = range(0x110000)
    folds = {}
    for scalar in sorted(set(category) | ignorable):
        if is_hangul(scalar) or 0xD800 <= scalar <= 0xDFFF:
            continue
        result = fold(scalar)
        if result != [scalar]:
            folds[scalar] = result
    survivors = lambda s: s not in folds
    compositions = []
    for scalar, (compat, parts) in decomposition.items():
        if compat or len(parts) != 2 or scalar in excluded or combining.get(scalar, 0) > 0:
            continue
        first, second = parts
        if combining.get(first, 0) > 0 or not survivors(second):
            continue
        # The first part may itself be a composite, which composing has made by then.
        if all(survivors(s) for s in fold(scalar)) and fold(scalar)[-1] == second:
            compositions.append((first, second, scalar))

    records, record_of = [], {}
    seconds = {second for _, second, _ in compositions} | set(range(0x1161, 0x1176)) | set(range(0x11A8, 0x11C3))

    def is_plain(scalar):
        """Whether the fold is one scalar that its neighbours cannot change."""
        result = [scalar] if is_hangul(scalar) else folds.get(scalar, [scalar])
        if scalar in NIKHAHIT:
            return False
        if len(result) != 1 or scalar in pictographic or result[0] in seconds:
            return False
        alike = all(table.get(scalar, other) == table.get(result[0], other) for table, other in (
            (grapheme_break, "Other"), (combining, 0)))
        return (alike and (scalar >= 0x10000) == (result[0] >= 0x10000)
                and grapheme_break.get(scalar, "Other") in ("Other", "LV", "LVT", "Extend", "SpacingMark"))

    def is_sign_of_letters(scalar):
        """A sign, such as that for kilogram, that stands for letters and digits alone."""
        return (category.get(scalar) == "So" and scalar in folds
                and all(category.get(one, "Cn")[0] in "LN" or one in KEPT_MARKS for one in folds[scalar]))

    def record(scalar):
        flags = 0
        if scalar in pictographic:
            flags |= 1
        kind = category.get(scalar, "Cn")
        # Digits are words of their own; signs such as the Kangxi radicals are what they fold to.
        if (script.get(scalar) in SPACELESS and (kind[0] in "LM" or kind in ("Nl", "No")) or is_sign_of_letters(scalar)
                and all(script.get(one) in SPACELESS or one == 0x30FC or one in KEPT_MARKS for one in folds[scalar]) or scalar in (0x30FC, 0xFF70)
                or kind in ("Lo", "Lm") and scalar not in word_break):
            flags |= 2
        if kind[0] in "LN" or is_sign_of_letters(scalar):
            flags |= 4
        if is_plain(scalar):
            flags |= 8
        if scalar in folds:
            flags |= 16
        if scalar in seconds:
            flags |= 32
        # Signs that people may want to find, emoji among them; not the digits and signs that only
        # become emoji with others.
        if kind in ("Sc", "Sm", "So", "Sk") or scalar in pictographic or 0x1F1E6 <= scalar <= 0x1F1FF:
            flags |= 64
        # What case folding changes may be a small letter: ß, ς.
        if kind in ("Lu", "Lt") or scalar in lower:
            flags |= 128
        key = (WORD_BREAK.index(word_break.get(scalar, "Other")),
               GRAPHEME_BREAK.index(grapheme_break.get(scalar, "Other")), combining.get(scalar, 0), flags)
        if key not in record_of:
            record_of[key] = len(records)
            records.append(key)
        return record_of[key]

    def trie(values, form):
        blocks, index_of, stage1 = [], {}, []
        for start in range(0, 0x110000, 128):
            block = tuple(values[start:start + 128])
            if block not in index_of:
                index_of[block] = len(blocks)
                blocks.append(block)
            stage1.append(index_of[block])
        stage2 = b"".join(struct.pack("<128" + form, *block) for block in blocks)
        return struct.pack(f"<{len(stage1)}H", *stage1), stage2

    property_values = [record(scalar) for scalar in scalars]
    assert len(records) < 256, len(records)
    pool, pool_index, fold_values = [0], {}, [0] * 0x110000
    for scalar, result in folds.items():
        key = tuple(result)
        if key not in pool_index:
            pool_index[key] = len(pool)
            pool.append(len(result))
            pool.extend(result)
        fold_values[scalar] = pool_index[key]
    assert len(pool) < 65536, len(pool)
    p1, p2 = trie(property_values, "B")
    f1, f2 = trie(fold_values, "H")
    readme = open(os.path.join(folder, "ReadMe.txt"), encoding="utf-8").read()
    version = re.search(r"Version (\d+\.\d+\.\d+)", readme).group(1)
    compositions.sort()
    all_compositions = sorted((parts[0], parts[1], scalar) for scalar, (compat, parts) in decomposition.items()
                              if not compat and len(parts) == 2 and scalar not in excluded
                              and combining.get(scalar, 0) == 0 and combining.get(parts[0], 0) == 0)
    steps, step_places, step_pool, place_of = {}, [0] * 0x110000, [0], {}
    for scalar in sorted(set(category) | ignorable):
        if is_hangul(scalar) or 0xD800 <= scalar <= 0xDFFF:
            continue
        step = step_of_kind(scalar)
        if step is None:
            continue
        # Where a form is kept, its letter still has a case.
        other = case.get(scalar) if step[0] in (WIDTH, COMPATIBILITY) else None
        key = (step[0], tuple(step[1]), tuple(other or ()))
        if key not in place_of:
            place_of[key] = len(step_pool)
            step_pool.append(bool(other) << 16 | step[0] << 8 | len(step[1]))
            step_pool.extend(step[1])
            if other:
                step_pool.append(CASE << 8 | len(other))
                step_pool.extend(other)
        step_places[scalar] = place_of[key]
    assert len(step_pool) < 65536, len(step_pool)
    s1, s2 = trie(step_places, "H")
    tables = [
        ("property_blocks", "H", p1, "Trie of records: the number of the block of 128 scalars, 16 bits each."),
        ("property_values", "B", p2, "Trie of records: the blocks, a record number a scalar."),
        ("property_records", "B", bytes(b for r in records for b in r),
         "Word-break class, grapheme-break class, combining class, flags."),
        ("fold_blocks", "H", f1, "Trie of folds: the number of the block of 128 scalars, 16 bits each."),
        ("fold_values", "H", f2, "Trie of folds: the blocks, a place in the pool a scalar, 0 for itself."),
        ("fold_pool", "I", struct.pack(f"<{len(pool)}I", *pool), "Lengths and scalars of what folds give."),
        ("compositions", "I", b"".join(struct.pack("<III", *c) for c in compositions),
         "First, second, composite; sorted."),
        ("step_blocks", "H", s1, "Trie of steps: the number of the block of 128 scalars, 16 bits each."),
        ("step_values", "H", s2, "Trie of steps: the blocks, a place in the pool a scalar, 0 for none."),
        ("step_pool", "I", struct.pack(f"<{len(step_pool)}I", *step_pool),
         "Kind and length of each step, 8 bits each, then its scalars; with bit 16, another step for when that one is left out."),
        ("all_compositions", "I", b"".join(struct.pack("<III", *c) for c in all_compositions),
         "First, second, composite; sorted; whatever folding does to them."),
    ]
    lower_pairs = sorted(lower.items())
    tables.append(("lower_case", "I", b"".join(struct.pack("<II", *pair) for pair in lower_pairs),
                   "Scalar and its simple lower case; sorted."))
    print_source(version, tables)


def print_source(version, tables):
    """Prints the tables in C: a linker lays them into the program, where nothing has to be decoded."""
    print("// Made by Scripts/generate-unicode-tables.py; do not edit.")
    print("// From the Unicode Character Database; https://www.unicode.org/terms_of_use.html\n")
    print('#include "CUnicode.h"\n')
    print(f'const char *cunicode_version(void) {{ return "{version}"; }}')
    print(f"int cunicode_table_version(void) {{ return {VERSION_OF_TABLES}; }}")
    for name, form, data, comment in tables:
        bits = 8 * struct.calcsize(form)
        numbers = struct.unpack(f"<{len(data) // struct.calcsize(form)}{form}", data)
        print(f"\n// {comment}")
        print(f"static const uint{bits}_t {name}[] = {{")
        print("\n".join(textwrap.wrap(", ".join(map(str, numbers)), 118, initial_indent="  ", subsequent_indent="  ")))
        print("};\n")
        print(f"CUnicodeTable{bits} cunicode_{name}(void) {{")
        print(f"  return (CUnicodeTable{bits}){{{name}, sizeof {name} / sizeof *{name}}};\n}}")


main(sys.argv[1])
