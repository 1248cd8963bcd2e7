import PowerCuts
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Parts of a vocabulary")
struct VocabularyPartTests {
    private static func part(_ terms: [[UInt8]]) throws -> VocabularyPart {
        try VocabularyPart.of(terms)
    }

    /// Terms in order, each once; many begin alike.
    private static func terms(_ random: inout QueryRandom, _ letters: [String]) -> [[UInt8]] {
        var terms: [String] = []
        for _ in 0..<random.int(1...120) {
            var term = random.string(of: letters, upTo: 6)
            if let other = terms.last, random.int(0...2) > 0 {
                term = String(other.prefix(random.int(0...other.count))) + term
            }
            if random.int(0...40) == 0 { term += String(repeating: "ab", count: 100) }
            if !term.isEmpty, term.utf8.count <= 255 { terms.append(term) }
        }
        return Set(terms.map { Array($0.utf8) }).sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// The terms in parts, of which some have a group of the filter or less, and some have several.
    private static func parts(
        _ terms: [[UInt8]], _ random: inout QueryRandom
    ) throws -> [VocabularyPart] {
        let ends = (0..<random.int(0...5)).map { _ in random.int(0...terms.count) }.sorted()
        return try zip([0] + ends, ends + [terms.count]).filter { $0 < $1 }.map {
            try part(Array(terms[$0..<$1]))
        }
    }

    private func compare(
        _ part: VocabularyPart, _ terms: [[UInt8]], _ matcher: some TermMatcher, _ note: Comment
    ) throws -> Int {
        var found: [([UInt8], Int)] = []
        try part.forEachTerm(matching: matcher) { term, edits, number in
            found.append((Array(term), edits))
            #expect(terms[number] == Array(term), note)
        }
        let expected = terms.compactMap { term in
            term.withUnsafeBufferPointer { matcher.matches($0) }.map { (term, $0) }
        }
        #expect(
            found.map(\.0) == expected.map(\.0) && found.map(\.1) == expected.map(\.1), note)
        return found.count
    }

    @Test(
        "A term is found in the stored form as in the part that is read",
        arguments: Scale.seeds(40))
    func single(seed: UInt64) throws {
        var random = QueryRandom(seed: seed)
        let letters = [["a", "b"], ["a", "é", "鴨", "👍"]][random.int(0...1)]
        var terms = Self.terms(&random, letters)
        for _ in 0..<random.int(0...8) { terms += Self.terms(&random, letters) }
        terms = Set(terms).sorted { $0.lexicographicallyPrecedes($1) }
        let chunks = terms.indices.map { number in
            [UInt8](repeating: UInt8(number % 251), count: random.int(0...3) * random.int(0...90))
        }
        let stored = VocabularyPart.stored(terms, chunks: chunks)
        let part = try VocabularyPart.of(terms, chunks: chunks)
        #expect(part.termCount == terms.count, "seed \(seed)")
        for (number, term) in terms.enumerated() {
            #expect(Array(part.bytes[part.range(of: number)]) == term, "seed \(seed)")
            let common = number == 0 ? 0 : zip(terms[number - 1], term).prefix { $0 == $1 }.count
            #expect(Int(part.sharedCounts[number]) == common, "seed \(seed): \(term)")
        }
        var wanted = terms
        for term in terms {
            wanted += [term + [0x61], Array(term.dropLast()), term.map { $0 == 0x61 ? 0x62 : $0 }]
        }
        for term in wanted {
            let found = try stored.withUnsafeBytes { whole in
                try term.withUnsafeBufferPointer {
                    try VocabularyPart.withPostings(of: $0, in: whole) { Array($0) }
                }
            }
            let expected = terms.firstIndex(of: term).map { chunks[$0] }
            #expect(found == expected, "seed \(seed): \(term)")
        }
    }

    @Test(
        "Every place at which bytes stand is found, in order",
        arguments: Scale.seeds(40))
    func infixes(seed: UInt64) throws {
        var random = QueryRandom(seed: seed)
        let letters = [
            ["a", "b", "c"], ["a", "é", "鴨", "鴩", "👍", "👌"],
            (97...122).map { String(UnicodeScalar(UInt8($0))) },
        ][random.int(0...2)]
        var terms = Self.terms(&random, letters)
        for _ in 0..<random.int(0...6) { terms += Self.terms(&random, letters) }
        terms = Set(terms).sorted { $0.lexicographicallyPrecedes($1) }
        let wholeTerms = terms
        let vocabulary = try InfixTerms(Self.parts(terms, &random))
        for _ in 0..<60 {
            var needle = Array(random.string(of: letters, upTo: 4).utf8)
            if random.bool(), let term = terms.randomElement(using: &random) {
                let start = random.int(0...(term.count - 1))
                needle = Array(term[start...].prefix(random.int(1...5)))
            }
            var found: [[Int]] = []
            try vocabulary.forEachMatch(of: InfixNeedle(needle)) { terms, part, number, offset in
                let before = vocabulary.parts[..<part].reduce(0) { $0 + $1.termCount }
                #expect(Array(terms[number]) == wholeTerms[before + number], "seed \(seed)")
                found.append([before + number, offset])
            }
            let expected = wholeTerms.enumerated().flatMap { number, term in
                (0..<term.count).filter { !needle.isEmpty && term[$0...].starts(with: needle) }
                    .map { [number, $0] }
            }
            #expect(found == expected, "seed \(seed): \(needle)")
        }
    }

    @Test(
        "Dead ends leave out nothing that matches", arguments: Scale.seeds(30))
    func deadEnds(seed: UInt64) throws {
        var random = QueryRandom(seed: seed)
        let letters = [["a", "b", "c"], ["a", "é", "鴨", "鴩", "👍", "👌"]][random.int(0...1)]
        let terms = Self.terms(&random, letters)
        let part = try Self.part(terms)
        var found = 0
        for _ in 0..<40 {
            // Some words are of the vocabulary, or nearly.
            var word = random.string(of: letters, upTo: 7)
            if random.bool(), !terms.isEmpty {
                word = String(decoding: random.element(terms), as: UTF8.self)
                if random.bool() { word = String(word.dropFirst(random.int(0...1))) + "a" }
            }
            let distance = random.int(0...2)
            let prefix = random.int(0...3)
            let note: Comment = "seed \(seed): \(word), \(distance), \(prefix)"
            found += try compare(
                part, terms,
                FuzzyMatcher(
                    word, distance: distance, exactPrefix: prefix, usesBits: random.bool()), note)
            let pattern = random.string(of: letters + ["*", "?"], upTo: 6)
            found += try compare(
                part, terms, WildcardMatcher(pattern), "seed \(seed): wildcard \(pattern)")
            let expression =
                random.string(of: letters, upTo: 2)
                + random.element(["", ".", ".*", "[a-c]", "(a|b)?"])
                + random.string(of: letters, upTo: 2)
            let matcher = try RegularExpressionMatcher(expression)
            found += try compare(part, terms, matcher, "seed \(seed): /\(expression)/")
        }
        #expect(found > 0, "seed \(seed)")
    }

    @Test("What stands between two terms is found in none", arguments: [1, 40])
    func separators(count: Int) throws {
        let terms = (0..<count).map { [97, 98, UInt8(48 + $0)] } + [[99, 100]]
        let vocabulary = try InfixTerms([Self.part(terms)])
        for needle in [[0], [0, 99], [UInt8(47 + count), 0, 99], [100, 0]] {
            try vocabulary.forEachMatch(of: InfixNeedle(needle)) { _, _, number, _ in
                Issue.record("\(needle) in term \(number)")
            }
        }
    }

    @Test(
        "Terms within one edit are all found by what an edit leaves of the word",
        arguments: Scale.seeds(40))
    func near(seed: UInt64) throws {
        var random = QueryRandom(seed: seed)
        let many = "abcdefghijkl".map { String($0) }
        let letters = [["a", "b", "c"], ["a", "é", "鴨", "👍"], many][random.int(0...2)]
        let terms = Set((0..<3).flatMap { _ in Self.terms(&random, letters) })
            .sorted { $0.lexicographicallyPrecedes($1) }
        // In one part, or in two.
        let middle = random.bool() ? terms.count : random.int(1...terms.count)
        let near = NearTerms(
            try [terms[..<middle], terms[middle...]].filter { !$0.isEmpty }.map {
                try Self.part(Array($0))
            })
        var count = 0
        for _ in 0..<80 {
            // Half of the words are a term with an edit or two.
            var word = random.string(of: letters, upTo: 7)
            if random.bool(), let term = terms.randomElement(using: &random) {
                word = random.edited(String(decoding: term, as: UTF8.self), upTo: 2)
            }
            let matcher = FuzzyMatcher(
                word, distance: random.int(0...2), exactPrefix: random.int(0...3) / 2,
                usesBits: random.bool())
            var found: [([UInt8], Int)] = []
            try near.forEachTerm(near: matcher) { term, edits, place in
                found.append((Array(term), edits))
                let before = place.part == 0 ? 0 : middle
                #expect(terms[before + Int(place.term)] == Array(term), "seed \(seed)")
            }
            let expected = terms.compactMap { term in
                term.withUnsafeBufferPointer { matcher.matches($0) }.map { (term, $0) }
            }
            #expect(
                found.map(\.0) == expected.map(\.0) && found.map(\.1) == expected.map(\.1),
                "seed \(seed): \(word)")
            count += found.count
            let bytes = Array(word.utf8)
            #expect(
                (bytes.withUnsafeBufferPointer(near.place) != nil) == terms.contains(bytes),
                "seed \(seed): \(word)")
        }
        for (number, term) in terms.enumerated() {
            let place = term.withUnsafeBufferPointer(near.place)
            let before = place?.part == 0 ? 0 : middle
            #expect(place.map { before + Int($0.term) } == number, "seed \(seed): \(term)")
        }
        #expect(count > 0, "seed \(seed)")
    }

    @Test("Places and terms are those that were stored", arguments: 0..<10 as Range<UInt64>)
    func places(seed: UInt64) throws {
        var random = QueryRandom(seed: seed)
        let letters = ["a", "b", "é", "鴨"]
        let terms = Self.terms(&random, letters)
        let part = try Self.part(terms)
        #expect(part.termCount == terms.count)
        var all: [[UInt8]] = []
        part.forEachTerm { all.append(Array($0)) }
        #expect(all == terms, "seed \(seed)")
        for _ in 0..<60 {
            let wanted =
                random.bool()
                ? random.element(terms) : Array(random.string(of: letters, upTo: 5).utf8)
            let expected = terms.filter { $0.lexicographicallyPrecedes(wanted) }.count
            #expect(wanted.withUnsafeBufferPointer { part.place(of: $0) } == expected)
        }
    }

    @Test("Odd parts are read or refused, and nothing traps")
    func odd() throws {
        let matchers: [any TermMatcher] = [
            FuzzyMatcher("", distance: 0), FuzzyMatcher("ab", distance: 2),
            WildcardMatcher("*"), WildcardMatcher(""), try RegularExpressionMatcher(".*"),
        ]
        // An empty term, the same one twice, terms out of order, bytes that are no text, the
        // longest there is.
        let parts: [[[UInt8]]] = [
            [], [[]], [[], []], [[97], [97]], [[98], [97]], [[0xff], [0xff, 0x80]],
            [[UInt8](repeating: 97, count: 255), [UInt8](repeating: 97, count: 256)],
            [[UInt8](repeating: 97, count: 300), [UInt8](repeating: 97, count: 301)],
        ]
        for terms in parts {
            guard let part = try? Self.part(terms) else {
                #expect(terms.isEmpty)
                continue
            }
            for matcher in matchers { _ = try compare(part, terms, matcher, "\(terms)") }
        }
        // Of terms out of order any may be missed; none is made up.
        let disordered = (0..<80).map { number -> [UInt8] in
            [[0xff, 97, 98], [97, 0xe9], [97, 98, 99], [0xf0], [97], [], [98, 97, 98, 99]][
                number % 7]
        }
        let part = try Self.part(disordered)
        var found = 0
        for word in ["abc", "aabc", "éab", "bab"] {
            try NearTerms([part]).forEachTerm(near: FuzzyMatcher(word, distance: 1)) {
                term, edits, place in
                #expect(Array(term) == disordered[Int(place.term)] && edits < 2)
                found += 1
            }
        }
        #expect(found > 0)
        let malformed: [[UInt8]] = [
            [], [0], [0, 0, 0, 1, 0], [0, 0, 0, 2, 0, 97, 0], [0, 0, 0, 2, 97, 0, 0],
            [0, 0, 0, 3, 0, 97, 0], [0, 0, 0, 3, 0, 97, 0, 1], [0, 0, 0, 3, 0, 97, 0, 0, 7],
            [0, 0, 0, 9, 0, 97, 0, 0], [255, 255, 255, 255, 0, 97, 0, 0],
        ]
        for stored in malformed {
            #expect(throws: MalformedData.self) {
                try stored.withUnsafeBytes { bytes throws(MalformedData) in
                    try VocabularyPart(bytes)
                }
            }
        }
    }

    @Test("Terms are found by their bytes, with their postings", arguments: Scale.seeds(40))
    func lookUp(seed: UInt64) throws {
        var random = QueryRandom(seed: seed)
        let letters = [["a", "b", "c"], ["a", "é", "鴨", "鴩"]][random.int(0...1)]
        let terms = Self.terms(&random, letters)
        let chunks = terms.map { _ in
            (0..<random.int(0...200)).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        }
        guard let part = try? VocabularyPart.of(terms, chunks: chunks) else {
            return #expect(terms.isEmpty)
        }
        for (number, term) in terms.enumerated() {
            #expect(term.withUnsafeBufferPointer { part.number(of: $0) } == number)
            #expect(part.hasInlinePostings(of: number) == !chunks[number].isEmpty)
            #expect(
                part.withInlinePostings(of: number) { Array($0) }
                    == (chunks[number].isEmpty ? nil : chunks[number]))
        }
        for _ in 0..<60 {
            let other = Array(random.string(of: letters, upTo: 6).utf8)
            #expect(
                other.withUnsafeBufferPointer { part.number(of: $0) }
                    == terms.firstIndex(of: other))
        }
        let stored = VocabularyPart.stored(terms, chunks: chunks)
        let first = try stored.withUnsafeBytes { bytes throws(MalformedData) in
            try VocabularyPart.firstTerm(of: bytes)
        }
        #expect(first == terms.first ?? [])
        for count in 0..<stored.count {
            #expect(throws: MalformedData.self) {
                try stored.prefix(count).withUnsafeBytes { bytes throws(MalformedData) in
                    try VocabularyPart(bytes)
                }
            }
        }
    }
}
