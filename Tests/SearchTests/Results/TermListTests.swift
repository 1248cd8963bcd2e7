import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Terms, and words that are nowhere")
struct TermListTests {
    private static let words = [
        "duck", "ducks", "duke", "Dük", "straße", "ab", "ba", "a", "the", "peking", "東", "zebra",
        "pekinese", "STRASSE", "x1", "ducts",
    ]

    /// What a plain dictionary holds: term → note → string → how often.
    private struct PlainTerms {
        let folder = Folder(TextAnalysis().folding)
        var notes: [String: PlainNote] = [:]

        func terms(_ prefix: String, _ string: Int?) -> [IndexedTerm] {
            var counts: [String: (documents: Int, total: Int)] = [:]
            for note in notes.values {
                let strings = note.strings.enumerated().filter {
                    string == nil || $0.offset == string
                }
                let words = strings.flatMap { $0.element.split(separator: " ") }.map {
                    folder.fold(String($0))
                }
                for (term, all) in Dictionary(grouping: words, by: { $0 })
                where !["a", "the"].contains(term)
                    && term.utf8.starts(with: folder.fold(prefix).utf8)
                {
                    counts[term, default: (0, 0)].documents += 1
                    counts[term, default: (0, 0)].total += all.count
                }
            }
            return counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
                IndexedTerm(
                    text: $0.key, documentFrequency: $0.value.documents,
                    totalFrequency: $0.value.total)
            }
        }
    }

    private func note(_ generator: inout SeededGenerator) -> PlainNote {
        func text(_ count: Int) -> String {
            (0..<count).map { _ in generator.element(Self.words) }.joined(separator: " ")
        }
        return PlainNote("\(generator.int(0...19))", text(generator.int(0...3)), text(6))
    }

    /// Indexes, removes, flushes and reopens at random, and calls `check` between.
    private func run(
        _ generator: inout SeededGenerator,
        _ check: (TextIndex<PlainNote>, PlainTerms, inout SeededGenerator) throws -> Void
    ) throws {
        var model = PlainTerms()
        let directory = temporaryDirectory("terms")
        defer { try? FileManager.default.removeItem(at: directory) }
        for round in 0..<4 {
            let notes = try openIndex(directory)
            defer { try? notes.close() }
            for step in 0..<4 {
                for _ in 0..<6 {
                    let note = note(&generator)
                    model.notes[note.id] = note
                    notes.indexObject(note).waitUntilFinished()
                }
                let gone = "\(generator.int(0...19))"
                model.notes[gone] = nil
                notes.removeIndex(forIdentifier: Data(gone.utf8)).waitUntilFinished()
                if generator.once(in: 3) { try notes.flush() }
                if round == 2, step == 1 { try notes.optimize() }
                try check(notes, model, &generator)
            }
        }
    }

    private func openIndex(_ directory: URL) throws -> TextIndex<PlainNote> {
        var configuration = TextIndexConfiguration()
        configuration.fields = ["title", "body"]
        configuration.indexesStopWords = false
        let index = try TextIndex<PlainNote>(at: directory, configuration: configuration)
        index.identifier = { $0.identifier }
        index.indexer = { note, _ in IndexedObject(strings: note.strings) }
        return index
    }

    @Test("Terms are those of a plain dictionary", arguments: testSeeds(8))
    func terms(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try run(&generator) { index, model, generator in
            for prefix in ["", "d", "DU", "duc", "stras", "z", "q", "東", "peking"] {
                let (field, string): (String?, Int?) = generator.element([
                    (nil, nil), ("title", 0), ("body", 1),
                ])
                let limit = generator.element([0, 1, 3, 100, -1, .max])
                let expected = model.terms(prefix, string).prefix(max(limit, 0))
                let found = try index.terms(prefix: prefix, field: field, limit: limit)
                #expect(found == Array(expected), "seed \(seed): \(prefix) in \(field ?? "all")")
            }
            #expect(try index.terms(field: "absent").isEmpty)
        }
    }

    @Test("Unknown words are told, with the nearest that are there", arguments: testSeeds(8))
    func unknown(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        try run(&generator) { index, model, generator in
            let known = model.terms("", nil)
            for word in ["duck", "dukc", "dcks", "pekin", "zebr", "Strase", "bb", "q", "xyzzy"] {
                let query: Query = generator.element([
                    .term(word), .phrase("\(word) duck"), .field("title", .term(word)),
                    .any(of: [.boost(.term(word), 2), .prefix("z")]),
                ])
                let folded = model.folder.fold(word)
                let found = try index.search(query).diagnostics.filter {
                    $0.kind == .unknownWord && (folded == "duck" || $0.suggestions != ["duck"])
                }
                if known.contains(where: { $0.text == folded }) {
                    // The phrase's other word may be one.
                    #expect(found.count <= (folded == "duck" ? 0 : 1), "seed \(seed): \(word)")
                    continue
                }
                // As many as a search takes into account.
                let furthest = folded.count < 4 ? 0 : folded.count < 8 ? 1 : 2
                let near = known.map { (term: $0, edits: PlainCorpus.edits($0.text, folded)) }
                    .filter { $0.edits <= furthest }
                let nearest = near.sorted { a, b -> Bool in
                    if a.edits != b.edits { return a.edits < b.edits }
                    let (more, less) = (a.term.documentFrequency, b.term.documentFrequency)
                    if more != less { return more > less }
                    return a.term.text.utf8.lexicographicallyPrecedes(b.term.text.utf8)
                }.prefix(5).map(\.term.text)
                let first = try index.search(query).diagnostics.first { $0.kind == .unknownWord }
                #expect(first?.suggestions == nearest, "seed \(seed): \(query)")
            }
        }
    }

    @Test("An unknown word has its place, and known words are not reported")
    func places() throws {
        let notes = try PlainNoteIndex([PlainNote("1", "running ducks"), PlainNote("2", "goose")]) {
            $0.analysis.stemming = .language(.english)
        }
        let text = "goose (gosse OR \"Peking dukcs\") the run* -swan"
        let results = try notes.index.search(text)
        let unknown = results.diagnostics.filter { $0.kind == .unknownWord }
        #expect(
            unknown.map { $0.range(in: text).map { text[$0] } } == ["gosse", "Peking", "dukcs"])
        #expect(unknown.map(\.suggestions) == [["goose"], [], ["ducks"]])
        // Another word of its stem is there.
        #expect(try notes.index.search("runs duck").diagnostics.isEmpty)
        // It is told once, not with every page.
        let page = try notes.index.search("gosse goose", limit: 1)
        #expect(page.diagnostics.count { $0.kind == .unknownWord } == 1)
        let next = try notes.index.search(after: page.cursor)
        #expect(next.diagnostics.count { $0.kind == .unknownWord } == 1)
        let many = (0..<50).map { "zz\($0)zz" }.joined(separator: " ")
        #expect(try notes.index.search(many).diagnostics.count { $0.kind == .unknownWord } == 8)
    }

    @Test("What was found in another form is not reported, and what was corrected is said")
    func foundOtherwise() throws {
        let notes = try PlainNoteIndex([
            PlainNote("1", "the X-Men"), PlainNote("2", "covid 19"), PlainNote("3", "a database"),
            PlainNote("4", "wi fi"), PlainNote("5", "men or met, let them, lord 3⁄4 24"),
            PlainNote("6", "white duck"),
        ])
        for (text, id) in [
            ("xmen", "1"), ("covid19", "2"), ("databases", "3"), ("wifi", "4"), ("data base", "3"),
            ("datab", "3"),
        ] {
            let found = try notes.index.search(text)
            #expect(found.contains { $0.id == id }, "\(text)")
            #expect(found.diagnostics.isEmpty, "\(text): \(found.diagnostics.map(\.description))")
        }
        for text in ["3.14", "247", "qer", "q1uck"] {
            for diagnostic in try notes.index.search(text).diagnostics {
                #expect(diagnostic.suggestions == [], "\(text)")
            }
            #expect(try notes.index.suggestions(for: text + " ").corrections.isEmpty, "\(text)")
        }
        // Two edits are too many for four letters, and stop words are not meant.
        let lotr = try notes.index.search("lotr")
        #expect(lotr.diagnostics.first?.suggestions.contains("or") == false)
        #expect(lotr.diagnostics.first?.suggestions.contains("let") == false)
        #expect(try notes.index.search("thhe").diagnostics.first?.suggestions.isEmpty == true)
        let duck = try notes.index.search("dukc")
        #expect(duck.contains { $0.id == "6" })
        #expect(duck.diagnostics.map(\.suggestions) == [["duck"]])
        #expect(
            duck.diagnostics.first?.message
                == "No object has this word; similar ones were found instead.")
    }

    @Test("The awaited form gives the same terms")
    func awaited() async throws {
        let notes = try PlainNoteIndex([PlainNote("1", "duck duck goose")])
        let terms = try await notes.index.terms(prefix: "d")
        #expect(terms.map(\.text) == ["duck"])
        #expect(terms.first?.totalFrequency == 2 && terms.first?.documentFrequency == 1)
        let why = try await notes.index.explain(
            missing: Data("1".utf8), for: .term("swan"))
        #expect(why.reason == .notMatched)
    }
}
