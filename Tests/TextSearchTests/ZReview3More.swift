import Foundation
import Synchronization
import Testing

@testable import TextSearch

/// Review of issue 3, second round.
@Suite("Review 3: more")
struct ZReview3MoreTests {
    @Test("One zero byte in a text does not damage an index of words between spaces")
    func zero() throws {
        let directory = temporaryDirectory("zero")
        let index = try PlainNoteIndex([PlainNote("0", "a\u{0}b"), PlainNote("1", "cd")], at: directory) {
            $0.analysis = .wholeString
        }
        #expect(try index.ids("cd") == ["1"])
        try index.index.flush()
        #expect(try index.ids("cd") == ["1"])
        try index.index.optimize()
        #expect(try index.ids("cd") == ["1"])
    }

    @Test("Long words have the stems that analyze shows")
    func longStem() throws {
        let word = String(repeating: "x", count: 250) + "running"
        let index = try PlainNoteIndex([PlainNote("0", word)]) {
            $0.analysis = TextAnalysis(stemming: .language(.english))
        }
        #expect(try index.ids(.term(word)) == ["0"])
    }

    @Test("Fields of other foldings")
    func foldings() throws {
        let notes = [PlainNote("0", "Größe", "Größe", "Größe 漢字"), PlainNote("1", "grosse", "grosse", "")]
        let index = try PlainNoteIndex(notes) {
            $0.fields = ["all", "exact", "case"]
            $0.fieldAnalysis = ["exact": TextAnalysis(folding: []), "case": TextAnalysis(folding: .letterCase)]
        }
        for stage in Stage.allCases {
            try index.enter(stage)
            #expect(try index.ids(.field("exact", .term("Größe"))) == ["0"])
            #expect(try index.ids(.field("exact", .term("größe"))) == [])
            #expect(try index.ids(.field("exact", .term("Gro\u{308}ße"))) == ["0"])
            #expect(try index.ids(.field("case", .term("GRÖSSE"))) == ["0"])
            #expect(try index.ids(.field("all", .term("GROSSE"))) == ["0", "1"])
            #expect(try Set(index.ids("öß")) == ["0"] || Set(index.ids("öß")) == ["0", "1"])
            #expect(try index.texts("größe", in: notes).contains("Größe"))
            #expect(try index.ids(.prefix("Grö")) == ["0", "1"])
            #expect(try index.ids(.field("case", .phrase("größe 漢字", slop: 0))) == ["0"])
        }
    }

    @Test("Time is linear in flags", .timeLimit(.minutes(2)))
    func flags() throws {
        let tokenizer = UnicodeTokenizer(keepsSymbols: true)
        var times: [Duration] = []
        for count in [4_000, 16_000] {
            let text = String(String.UnicodeScalarView(repeatElement("\u{1f1e9}", count: count)))
            times.append(ContinuousClock().measure { tokenizer.forEachWord(in: text) { _ in } })
        }
        #expect(times[1] < times[0] * 8, "\(times)")
    }

    @Test("Filters do not keep stop words from being left out")
    func filteredStopWords() throws {
        struct Same: TermFilter {
            let identity = "x"
            func filter(_ term: String) -> String? { term + "!" }
        }
        #expect(try TextAnalysis(filters: [Same()], stopWords: .english).analyze("the cat").map(\.omission) == [.stopWord, nil])
    }

    /// Documents updated, removed, flushed, merged and opened again, with all kinds of fields; against a fresh index.
    @Test("A rebuild to other analyses under updates and searches ends as a fresh index", arguments: 0..<3)
    func rebuild(seed: Int) async throws {
        let directory = temporaryDirectory("rebuild3")
        defer { try? FileManager.default.removeItem(at: directory) }
        let pieces = ["getHTTPResponse", "walking", "walked", "漢字文書", "Häuser", "Haus", "straße_2", "กขคง", "the", "ünï", "run", "runs", "KIZLAR", "l'homme"]
        var old = TextIndexConfiguration()
        old.fields = ["a", "b"]
        old.bufferSize = 1 << 16
        var new = old
        new.analysis = TextAnalysis(stemming: .automatic)
        new.fieldAnalysis = ["b": [.code, TextAnalysis(tokenizer: EdgePrefixTokenizer(1...6)), TextAnalysis(tokenizer: NGramTokenizer(2...3), stopWords: StopWords.none)][seed]]
        let box = Box()
        var random = SeededGenerator(seed: UInt64(seed) + 9)
        func text() -> String { (0..<6).map { _ in pieces.randomElement(using: &random) ?? "" }.joined(separator: " ") }
        for id in 0..<1500 { box.set("\(id)", [text(), text()]) }
        func open(_ configuration: TextIndexConfiguration) throws -> TextIndex<PlainNote> {
            let index = try TextIndex<PlainNote>(at: directory, configuration: configuration)
            index.identifier = { $0.identifier }
            index.indexer = { note, _ in IndexedObject(strings: note.strings) }
            index.objectGetter = { identifier in box.note(String(decoding: identifier, as: UTF8.self)) }
            return index
        }
        do {
            let index = try open(old)
            try await index.indexObjects(box.all())
            try index.close()
        }
        #expect(throws: TextIndexError.self) { try open(new) }
        var asked = new
        asked.previousAnalysis = .init(old)
        asked.reopensForRebuild = true
        let index = try open(asked)
        let changes: [(String, [String]?)] = (0..<300).map { n in ("\(n * 7 % 1600)", n % 5 == 0 ? nil : [text(), text()]) }
        async let rebuilt = index.rebuild { _ in }
        for (id, strings) in changes {
            if let strings {
                box.set(id, strings)
                index.indexObject(box.note(id)!).waitUntilFinished()
            } else {
                box.set(id, nil)
                index.removeIndex(forIdentifier: Data(id.utf8)).waitUntilFinished()
            }
            _ = try index.searchResults(forKeyword: "walk").count
        }
        _ = try await rebuilt
        let fresh = try PlainNoteIndex(box.all()) { $0 = new }
        func compare(_ index: TextIndex<PlainNote>, _ stage: String) throws {
            for word in pieces + ["http", "alk", "文書", "haus", "wal", "2", "kız", "homme"] {
                for query in [Query.term(word), .field("b", .term(word)), .field("a", .term(word)), .prefix(word), .keyword(word), .phrase("walking \(word)", slop: 0)] {
                    let mine = try index.search(query, limit: .max).map(\.id).sorted()
                    let theirs = try fresh.index.search(query, limit: .max).map(\.id).sorted()
                    #expect(mine == theirs, "\(stage) \(query)")
                }
            }
        }
        try compare(index, "rebuilt")
        try index.flush()
        try compare(index, "optimized")
        try index.close()
        let again = try open(new)
        try compare(again, "opened")
        try again.close()
    }

    @Test("Killed in a rebuild to stems, an index goes on and ends as a fresh one", arguments: [1, 150, 700, 1190])
    func killed(after count: Int) async throws {
        let directory = temporaryDirectory("rebuild3-kill")
        defer { try? FileManager.default.removeItem(at: directory) }
        let path = directory.path
        do {
            let index = try Self.stemmed(path, isOld: true)
            try await index.indexObjects((0..<1200).map(Self.note))
            try index.close()
        }
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, count = count as Int] in
            let index = try ZReview3MoreTests.stemmed(path, isOld: false)
            let calls = Mutex(0)
            index.objectGetter = { identifier in
                let isLast = calls.withLock { $0 += 1; return $0 > count }
                if isLast { kill(getpid(), SIGKILL) }
                return ZReview3MoreTests.note(Int(String(decoding: identifier, as: UTF8.self)) ?? 0)
            }
            _ = try await index.rebuild { _ in }
            kill(getpid(), SIGTERM)
        }
        let index = try Self.stemmed(path, isOld: false)
        #expect(try index.needsRebuild)
        #expect(try index.search(.keyword("walk"), limit: .max).count > 0)
        index.indexObject(PlainNote("5000", "walks", "漢字文書 walks")).waitUntilFinished()
        index.removeIndex(forIdentifier: Data("7".utf8)).waitUntilFinished()
        _ = try await index.rebuild { _ in }
        let notes = (0..<1200).filter { $0 != 7 }.map(Self.note) + [Self.note(5000)]
        let fresh = try PlainNoteIndex(notes) { $0 = Self.configuration() }
        for word in ["walk", "walks", "文書", "haus", "get", "getWalking", "the", "ing", "l'homme", "dog"] {
            for query in [Query.term(word), .field("b", .term(word)), .prefix(word), .keyword(word)] {
                let mine = try index.search(query, limit: .max).map(\.id).sorted()
                let theirs = try fresh.index.search(query, limit: .max).map(\.id).sorted()
                #expect(mine == theirs, "\(query)")
            }
        }
        try index.close()
    }

    static func note(_ id: Int) -> PlainNote {
        if id == 5000 { return PlainNote("5000", "walks", "漢字文書 walks") }
        let words = ["walking", "walked", "dogs", "Häuser", "漢字文書", "getWalkingDog", "the", "ünï"]
        return PlainNote("\(id)", words[id % 8] + " " + words[id % 7] + " x\(id)", words[id % 5] + " " + words[id / 3 % 8])
    }

    static func configuration() -> TextIndexConfiguration {
        var configuration = TextIndexConfiguration()
        configuration.fields = ["a", "b"]
        configuration.bufferSize = 1 << 16
        configuration.analysis = TextAnalysis(stemming: .automatic)
        configuration.fieldAnalysis = ["b": .code]
        return configuration
    }

    static func stemmed(_ path: String, isOld: Bool) throws -> TextIndex<PlainNote> {
        var old = TextIndexConfiguration()
        old.fields = ["a", "b"]
        old.bufferSize = 1 << 16
        var configuration = isOld ? old : Self.configuration()
        if !isOld {
            configuration.previousAnalysis = .init(old)
            configuration.reopensForRebuild = true
            configuration.largestLastPass = 20
        }
        let index = try TextIndex<PlainNote>(at: URL(fileURLWithPath: path), configuration: configuration)
        index.identifier = { $0.identifier }
        index.indexer = { note, _ in IndexedObject(strings: note.strings) }
        index.objectGetter = { ZReview3MoreTests.note(Int(String(decoding: $0, as: UTF8.self)) ?? 0) }
        return index
    }

    final class Box: @unchecked Sendable {
        private let lock = NSLock()
        private var notes: [String: PlainNote] = [:]
        func set(_ id: String, _ strings: [String]?) {
            lock.withLock {
                var note = PlainNote(id)
                note.strings = strings ?? []
                notes[id] = strings == nil ? nil : note
            }
        }
        func note(_ id: String) -> PlainNote? { lock.withLock { notes[id] } }
        func all() -> [PlainNote] { lock.withLock { Array(notes.values) } }
    }
}
