import Foundation
import LevelDB
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Engagements")
struct LearningTests {
    private static let notes = [
        PlainNote("a", "red duck"), PlainNote("b", "duck"), PlainNote("c", "goose"),
        PlainNote("d", "东京 duck"),
    ]

    private static let day = Date(timeIntervalSinceReferenceDate: 800_000_000)

    private static var boost: EngagementBoost {
        var boost = EngagementBoost()
        boost.date = day
        boost.maximum = 100
        boost.factor = 10
        return boost
    }

    private func listed(_ index: TextIndex<PlainNote>) throws -> [String] {
        var all: [String] = []
        try index.forEachEngagement {
            all.append("\($0.query): \(String(decoding: $0.identifier, as: UTF8.self))")
            return true
        }
        return all
    }

    // MARK: Which queries are the same

    @Test(
        "Texts that ask for the same share what was chosen",
        arguments: [
            ["duck", "Duck", " DUCK ", "duck duck", "\"duck\"", "dück"],
            ["red duck", "duck red", "+duck +red", "(red) (duck duck)"],
            ["\"red duck\"", "\"Red, duck\"", "red-duck"],
            ["red OR duck", "duck OR red", "duck OR Red OR duck"],
            ["-red duck", "duck -Red"],
            ["title:(red duck)", "title:(duck red)"],
            ["@near/3(a b)", "@near/3(b a)"],
            ["du*", "Du*"],
            ["东京", "东京 东京"],
        ])
    func sameQueries(texts: [String]) {
        let parser = QueryParser(fields: ["title"])
        let forms = texts.map { EngagementQuery.text(parser.parse($0).query) }
        #expect(Set(forms).count == 1, "\(forms)")
        #expect(forms.first != .some(nil))
    }

    @Test("Texts that ask for something else share nothing")
    func otherQueries() {
        let texts = [
            "duck", "ducks", "du*", "*du*", "red duck", "\"red duck\"", "\"duck red\"",
            "red OR duck", "red -duck", "title:duck", "duck~1", "@ordered/3(red duck)",
            "@ordered/3(duck red)", "the duck", "@keyword(\"duck\")", "duck^2",
        ]
        let parser = QueryParser(fields: ["title"])
        let forms = texts.map { EngagementQuery.text(parser.parse($0).query) }
        #expect(Set(forms).count == texts.count, "\(forms)")
        for text in ["", "  ", "*", "@nothing()"] {
            #expect(EngagementQuery.text(parser.parse(text).query) == nil)
        }
    }

    // MARK: Recording

    @Test("What cannot be remembered is refused, each for its reason")
    func refusals() throws {
        let notes = try PlainNoteIndex(Self.notes) { $0.learning.maximumQueryLength = 20 }
        let index = notes.index
        func code(_ text: String, _ strength: Double = 1, _ date: Date = Self.day)
            -> TextIndexError.Code?
        {
            failure(
                of: index.recordEngagement(
                    withIdentifier: Data("a".utf8), for: text, strength: strength, at: date))?.code
        }
        #expect(code("duck") == nil)
        #expect(code("") == .invalidArgument)
        #expect(code("*") == .invalidArgument)
        #expect(code("duck", 0) == .invalidArgument)
        #expect(code("duck", -1) == .invalidArgument)
        #expect(code("duck", .nan) == .invalidArgument)
        #expect(code("duck", .infinity) == .invalidArgument)
        #expect(
            code("duck", 1, Date(timeIntervalSinceReferenceDate: .nan)) == .invalidArgument)
        #expect(code("abcdefghij klmnopqrstuvwxyz") == .limitExceeded)
        var deep = Query.term("duck")
        for _ in 0..<500 { deep = .filter(deep) }
        let item = try #require(try Array(index.search("duck")).first)
        #expect(failure(of: index.recordEngagement(item, for: deep))?.code == .limitExceeded)
        #expect(
            failure(of: index.recordEngagement(withIdentifier: Data(), for: "duck"))?.code
                == .invalidArgument)
        // One that is not there is no error.
        #expect(
            failure(of: index.recordEngagement(withIdentifier: Data("z".utf8), for: "duck")) == nil)
        #expect(try listed(index) == ["duck: a"])
        try index.closeVerified()
        #expect(
            failure(of: index.recordEngagement(withIdentifier: Data("a".utf8), for: "duck"))?.code
                == .closed)
    }

    @Test("An engagement takes effect in its turn among other operations")
    func order() throws {
        let notes = try PlainNoteIndex()
        let index = notes.index
        let a = Data("a".utf8)
        index.recordEngagement(withIdentifier: a, for: "early")
        index.indexObject(Self.notes[0])
        index.recordEngagement(withIdentifier: a, for: "duck")
        index.removeIndex(forIdentifier: a)
        index.indexObject(Self.notes[0])
        index.recordEngagement(withIdentifier: a, for: "red")
        index.indexObject(Self.notes[0])
        index.forgetEngagements(withIdentifier: Data("b".utf8))
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        #expect(try listed(index) == ["red: a"])
        try index.closeVerified()
    }

    @Test("Numbers beyond what is sensible leave scores numbers")
    func extremes() throws {
        let notes = try PlainNoteIndex(Self.notes)
        let index = notes.index
        for date in [Date.distantPast, .distantFuture, Self.day] {
            for strength in [Double.greatestFiniteMagnitude, .leastNonzeroMagnitude, 1] {
                let operation = index.recordEngagement(
                    withIdentifier: Data("b".utf8), for: "duck", strength: strength, at: date)
                #expect(failure(of: operation) == nil)
            }
        }
        for numbers in [0, -1, 1e300, .infinity, .nan, 0.5] as [Double] {
            var boost = Self.boost
            boost.factor = numbers
            boost.maximum = numbers
            boost.halfLife = numbers
            let results = try index.search("duck", ranking: .relevance.learning(boost))
            #expect(results.count == 3 && results.allSatisfy { !$0.score.isNaN }, "\(numbers)")
        }
        try index.closeVerified()
    }

    // MARK: Keeping

    @Test("A killed process loses nothing that was finished")
    func killed() async throws {
        let folder = try TemporaryFolder("learning")
        let path = folder("index").path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let index = try openPlainNotes(
                at: URL(fileURLWithPath: path, isDirectory: true), LearningTests.notes)
            for (id, text) in [("a", "duck"), ("b", "red"), ("b", "duck"), ("c", "goose")] {
                let operation = index.recordEngagement(
                    withIdentifier: Data(id.utf8), for: text, at: LearningTests.day)
                operation.waitUntilFinished()
            }
            index.removeIndex(forIdentifier: Data("c".utf8)).waitUntilFinished()
            kill(getpid(), SIGKILL)
        }
        let index = try TextIndex<PlainNote>(at: folder("index"))
        #expect(try listed(index) == ["duck: a", "duck: b", "red: b"])
        try index.closeVerified()
    }

    @Test("A disk that fails loses nothing that finished, and learning goes on", arguments: 0..<8)
    func faults(skip: Int) throws {
        let folder = try TemporaryFolder("learning")
        let index = try openPlainNotes(at: folder("index"), Self.notes)
        var finished: Set<String> = []
        var failed: Set<String> = []
        func record(_ number: Int) {
            let note = Self.notes[number % Self.notes.count]
            let text = "word\(number)"
            let operation = index.recordEngagement(
                withIdentifier: note.identifier, for: text, at: Self.day)
            if failure(of: operation) == nil {
                finished.insert("\(text): \(note.id)")
            } else {
                failed.insert("\(text): \(note.id)")
            }
        }
        let fault = Fault(
            .append, at: folder.url.path, .shortWrite(errno: EIO), skip: UInt64(skip), times: 2)
        fault.whileArmed { _ in for number in 0..<12 { record(number) } }
        record(12)
        #expect(!failed.isEmpty && finished.contains("word12: a"))
        func check(_ index: TextIndex<PlainNote>) throws {
            let found = Set(try listed(index))
            #expect(finished.isSubset(of: found), "\(finished.subtracting(found))")
            #expect(found.isSubset(of: finished.union(failed)))
        }
        try check(index)
        try index.closeVerified()
        let again = try TextIndex<PlainNote>(at: folder("index"))
        try check(again)
        try again.closeVerified()
    }

    @Test("Backups, publications and purges have engagements; a purge has none of what is gone")
    func copies() throws {
        let folder = try TemporaryFolder("learning")
        let index = try openPlainNotes(at: folder("index"), Self.notes)
        for (id, text) in [("a", "duck"), ("b", "secretquery"), ("c", "goose"), ("d", "duck")] {
            index.recordEngagement(withIdentifier: Data(id.utf8), for: text, at: Self.day)
        }
        index.removeIndex(forIdentifier: Data("b".utf8)).waitUntilFinished()
        let right = ["duck: a", "duck: d", "goose: c"]
        #expect(try listed(index) == right)
        let order = try index.search("duck", ranking: .relevance.learning(Self.boost)).map(\.id)
        #expect(order == ["a", "d"])
        try index.backup(to: folder("entries"), by: .entries)
        try index.backup(to: folder("links"), by: .links)
        try index.publish(to: folder("shared"))
        try index.closeVerified()
        try TextIndex<PlainNote>.restore(from: folder("entries"), to: folder("restored"))
        try TextIndex<PlainNote>.purge(at: folder("index"))
        for name in ["index", "entries", "links", "restored"] {
            let copy = try TextIndex<PlainNote>(at: folder(name))
            #expect(try listed(copy) == right, "\(name)")
            try copy.closeVerified()
        }
        for (name, data) in try DirectoryContents(of: folder("index")).files {
            #expect(data.range(of: Data("secretquery".utf8)) == nil, "\(name)")
        }
        let reader = try TextIndex<PlainNote>(published: folder("shared"))
        #expect(try listed(reader) == right)
        let found = try reader.search("duck", ranking: .relevance.learning(Self.boost))
        #expect(found.map(\.id) == order)
        let refused = reader.recordEngagement(withIdentifier: Data("a".utf8), for: "duck")
        #expect(failure(of: refused)?.code == .readOnly)
        try reader.closeVerified()
    }

    @Test("A damaged entry is found; a repair keeps the others")
    func repair() throws {
        let folder = try TemporaryFolder("learning")
        let index = try openPlainNotes(at: folder("index"), Self.notes)
        for (id, text) in [("a", "duck"), ("b", "duck"), ("b", "red"), ("c", "goose")] {
            index.recordEngagement(withIdentifier: Data(id.utf8), for: text, at: Self.day)
        }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        try index.closeVerified()
        let store = try IndexStore(at: folder("index"), configuration: .init())
        let batch = StoreBatch()
        batch.put(QueryEngagements.key(Array("red".utf8)), [1, 2, 3])
        try store.commit(batch, sync: true)
        try store.close()
        let damaged = try TextIndex<PlainNote>(at: folder("index"))
        let report = try damaged.verify()
        #expect(report.findings.contains { $0.kind == .malformed && $0.table == "engagements" })
        #expect(report.findings.contains { $0.kind == .mismatch && $0.table == "engagements" })
        expectError(.corrupted) {
            try damaged.search("red", ranking: .relevance.learning(Self.boost))
        }
        expectError(.corrupted) { try damaged.backup(to: folder("backup")) }
        #expect(try damaged.search("red").count == 1)
        try damaged.close()
        try TextIndex<PlainNote>.repair(at: folder("index"))
        let repaired = try TextIndex<PlainNote>(at: folder("index"))
        #expect(try listed(repaired) == ["duck: a", "duck: b", "goose: c"])
        try repaired.closeVerified()
    }

    @Test(
        "A rebuild keeps engagements, but for objects that are gone; other settings read queries alike"
    )
    func rebuild() async throws {
        let notes = try PlainNoteIndex(Self.notes)
        let index = notes.index
        for (id, text) in [("a", "Ducks"), ("c", "goose"), ("d", "the ducks")] {
            index.recordEngagement(withIdentifier: Data(id.utf8), for: text, at: Self.day)
        }
        await index.waitUntilAllOperationsAreFinished()
        index.objectGetter = { identifier in
            Self.notes.first { $0.identifier == identifier && $0.id != "c" }
        }
        var configuration = index.configuration
        configuration.stopWords = .none
        configuration.analysis.stemming = .language(.english)
        try await index.rebuild(with: configuration)
        #expect(try listed(index) == ["ducks: a", "ducks the: d"])
        let found = try await index.search("DUCKS", ranking: .relevance.learning(Self.boost))
        #expect(found.map(\.id).first == "a")
        try index.closeVerified()
    }

    @Test("Another index takes the engagements that one lists")
    func exchange() throws {
        let one = try PlainNoteIndex(Self.notes)
        let other = try PlainNoteIndex(Self.notes)
        for (id, text) in [("a", "\"red duck\""), ("b", "du* -goose"), ("b", "duck")] {
            one.index.recordEngagement(
                withIdentifier: Data(id.utf8), for: text, strength: 0.3, at: Self.day)
        }
        one.index.indexingQueue.waitUntilAllOperationsAreFinished()
        try one.index.forEachEngagement {
            other.index.recordEngagement($0)
            return true
        }
        other.index.indexingQueue.waitUntilAllOperationsAreFinished()
        #expect(try listed(other.index) == listed(one.index))
        #expect(try listed(other.index).count == 3)
        #expect(try other.index.engagements(for: "DUCK").map(\.strength) == [0.3])
        try one.index.closeVerified()
        try other.index.closeVerified()
    }
}
