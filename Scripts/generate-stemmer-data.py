#!/usr/bin/env python3
"""Makes, from the vocabularies in Tests/AnalysisTests/Fixtures/snowball and the installed libstemmer:
- Fixtures/snowball/older/<language>.tsv.gz: the words for which libstemmer gives another stem than the one published, with that stem
- Sources/TextSearch/Text/Generated/StemmerProbes.swift: for each language a few words whose stems tell versions of its
  algorithm apart

Usage: generate-stemmer-data.py
The older stems are those of libstemmer 2.2.0: run it with that version (Debian 12) and no other.
"""
import collections, ctypes, ctypes.util, gzip, os, unicodedata

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
VOCABULARIES = os.path.join(ROOT, "Tests/AnalysisTests/Fixtures/snowball")
PROBES = os.path.join(ROOT, "Sources/TextSearch/Text/Generated/StemmerProbes.swift")
# Words that differ between versions, at most one for each kind of difference; and words that do
# not.
CHANGED, UNCHANGED = 12, 16
# No vocabulary is published for these.
HAND_WRITTEN = {
    "arabic": "كتاب الكتاب والكتاب كتابهم مكتبة المكتبات يكتبون فسيكتبونها كاتبين مدرسة بالمدرسة للمدرسين استعملوا "
              "المسلمون معلمات أولادهم سيارتي وسياراتنا",
    "tamil": "வீடு வீடுகள் வீட்டில் வீட்டிற்கு மரங்கள் மரத்தில் பறவைகள் படித்தான் படிக்கிறாள் படிப்பார்கள் அவனுடைய அவர்களுக்கு "
             "நாட்டின் புத்தகங்களை புத்தகத்தை பள்ளிக்கு ஓடினார்கள் சென்றது",
}


class Stemmer:
    def __init__(self, language):
        library = ctypes.CDLL(ctypes.util.find_library("stemmer") or "libstemmer.so.0d")
        library.sb_stemmer_new.restype = ctypes.c_void_p
        library.sb_stemmer_new.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
        library.sb_stemmer_stem.restype = ctypes.c_void_p
        library.sb_stemmer_stem.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
        library.sb_stemmer_length.argtypes = [ctypes.c_void_p]
        self.library = library
        self.stemmer = library.sb_stemmer_new(language.encode(), b"UTF_8")
        assert self.stemmer, language

    def stem(self, word):
        data = word.encode()
        stem = self.library.sb_stemmer_stem(self.stemmer, data, len(data))
        return ctypes.string_at(stem, self.library.sb_stemmer_length(self.stemmer)).decode()


def vocabulary(language):
    with gzip.open(os.path.join(VOCABULARIES, language + ".tsv.gz"), "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def write_older(language, words):
    path = os.path.join(VOCABULARIES, "older", language + ".tsv.gz")
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        packed.write("".join(f"{word}\t{stem}\n" for word, stem in words).encode())


def spread(words, count):
    step = max(1, len(words) // count)
    return words[step // 2::step][:count]


def is_plain(word):
    return all(unicodedata.category(character)[0] in "LM" for character in word)


def probes(words, older):
    """Words for each kind of difference, the most frequent kinds first, and others from all over the vocabulary."""
    kinds = collections.defaultdict(list)
    for word, published in words:
        if word in older:
            common = len(os.path.commonprefix([word, published, older[word]]))
            kinds[word[common:], published[common:], older[word][common:]].append(word)
    frequent = sorted(kinds.values(), key=lambda kind: (-len(kind), kind[0]))
    changed = [kind[len(kind) // 2] for kind in frequent[:CHANGED]]
    plain = [word for word, stem in words if word not in older and word != stem and len(word) > 5 and is_plain(word)]
    return changed + spread(plain or [word for word, _ in words], UNCHANGED)


def main():
    lists = {language: words.split() for language, words in HAND_WRITTEN.items()}
    for name in sorted(os.listdir(VOCABULARIES)):
        if not name.endswith(".tsv.gz"):
            continue
        language = name[: -len(".tsv.gz")]
        stemmer = Stemmer(language)
        words = vocabulary(language)
        differing = [(word, stemmer.stem(word)) for word, stem in words if stemmer.stem(word) != stem]
        if differing:
            write_older(language, differing)
        lists[language] = probes(words, dict(differing))
        print(f"{language}: {len(words)} words, {len(differing)} with an older stem")
    with open(PROBES, "w", encoding="utf-8") as file:
        file.write("// Made by Scripts/generate-stemmer-data.py. Do not edit.\n\n")
        file.write("/// Words whose stems tell versions of a language's algorithm apart. In the fingerprint of an index: another list is\n")
        file.write("/// another fingerprint.\n")
        file.write("enum StemmerProbes {\n    /// The words for a language, divided by spaces.\n")
        file.write("    static func words(_ language: StemmerLanguage) -> String {\n        switch language {\n")
        for language in sorted(lists):
            file.write(f"        case .{language}:\n            \"\"\"\n")
            line = ""
            for word in lists[language]:
                if line and len(line) + len(word) > 80:
                    file.write(f"            {line}\\\n")
                    line = ""
                line += word + " "
            file.write(f"            {line.rstrip()}\n            \"\"\"\n")
        file.write("        }\n    }\n}\n")


main()
