import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("What a search may take")
struct SearchBoundsTests {
    /// A kind of query that matches most notes, and the least work that it is.
    private struct Kind {
        var name: String
        var query: Query
        var ranking = Ranking.relevance
    }

    private static let noteCount = 600

    private static func index(_ generator: inout SeededGenerator) throws -> PlainNoteIndex {
        let index = try PlainNoteIndex {
            $0.fields = ["title", "body"]
            $0.inlinePostingsLimit = 64
        }
        index.index.indexer = { note, _ in
            let number = Double(note.id) ?? 0
            return IndexedObject(
                strings: note.strings, weight: note.weight,
                attributes: [
                    "number": .number(number),
                    "few": .string(["a", "b", "c"][Int(number) % 3]),
                    "list": .array([.number(number / 2), .string("x")]),
                ])
        }
        for round in 0..<3 {
            let ids = round * noteCount / 3..<(round + 1) * noteCount / 3
            try index.add(ids.map { generator.boundsNote($0, "common data data data") })
            if round < 2 { try index.index.flush() }
        }
        // What a search takes depends on the segments, which are merged behind the notes.
        index.index.waitForMaintenance()
        return index
    }

    private static func kinds(_ index: PlainNoteIndex) -> [Kind] {
        let common = Query.term("common")
        let wide = Query.regularExpression("w(a|b|c|d|e|f|g|h|i|j){4}x")
        var nested = Query.any(of: [common, .term("end")])
        for _ in 0..<12 {
            nested = .boost(.all(of: [nested, .any(of: [common, .prefix("da")])]), 2)
        }
        return [
            Kind(name: "term", query: common),
            Kind(name: "phrase", query: .phrase("common end data")),
            Kind(
                name: "long phrase",
                query: .phrase(Array(repeating: "data", count: 3).joined(separator: " "))),
            Kind(name: "phrase with slop", query: .phrase("common data data", slop: 50)),
            Kind(name: "phrase of a prefix", query: .phrase("common en", lastWordIsPrefix: true)),
            Kind(name: "near", query: .near(["end", "common", "data"], within: 50)),
            Kind(
                name: "near, ordered", query: .near(["common", "end"], within: 50, ordered: true)),
            Kind(name: "near patterns", query: .near([.infix("om"), .prefix("dat")], within: 50)),
            Kind(name: "prefix", query: .prefix("w")),
            Kind(name: "infix", query: .infix("a")),
            Kind(name: "suffix", query: .suffix("x")),
            Kind(name: "wildcard", query: .wildcard("w*a*x")),
            Kind(name: "regular expression", query: wide),
            Kind(name: "fuzzy", query: .fuzzy("commom", distance: 2)),
            Kind(name: "keyword", query: .keyword("om dat")),
            Kind(name: "field", query: .field("body", .prefix("w"))),
            Kind(name: "all", query: .all(of: [common, .infix("at"), .suffix("nd")])),
            Kind(
                name: "any",
                query: .any(
                    of: (0..<60).map { .infix(String("abcdefghij".dropFirst($0 % 10).prefix(1))) })),
            Kind(name: "none", query: .all(of: [common, .none(of: [.infix("aaaa")])])),
            Kind(name: "at least", query: .atLeast(2, of: [common, .prefix("da"), .suffix("d")])),
            Kind(name: "first", query: .first(of: [.infix("aa"), .prefix("w"), common])),
            Kind(name: "boost", query: .boost(.prefix("w"), 2)),
            Kind(name: "constant score", query: .constantScore(.prefix("w"))),
            Kind(name: "filter", query: .filter(.prefix("w"))),
            Kind(name: "weight", query: .weight(0...2)),
            Kind(
                name: "identifiers", query: .identifiers((0..<noteCount).map { Data("\($0)".utf8) })
            ),
            Kind(
                name: "identifiers, most of which nothing has",
                query: .identifiers((0..<20_000).map { Data("\($0)".utf8) })),
            Kind(name: "attribute", query: .attribute("number", .greaterOrEqual(100))),
            Kind(name: "attribute of lists", query: .attribute("list", .less(200))),
            Kind(
                name: "attribute beside a word",
                query: .all(of: [common, .filter(.attribute("few", .in(["a", "c"])))])),
            Kind(
                name: "attributes, combined",
                query: .atLeast(
                    1,
                    of: [.attribute("few", .equal("b")), .weight(0...1), .attribute("no", .exists)])
            ),
            Kind(
                name: "no attribute",
                query: .all(of: [common, .none(of: [.attribute("few", .equal("a"))])])),
            Kind(
                name: "sorted", query: common,
                ranking: .sorted(by: [.attribute("few"), .attribute("list", .descending)])),
            Kind(name: "everything", query: .all(of: [])),
            Kind(name: "nesting", query: nested),
            Kind(name: "all hits", query: .prefix("w"), ranking: .custom { $0.weight }),
            Kind(
                name: "all hits of a phrase", query: .phrase("common data", slop: 9),
                ranking: .custom { $0.weight }),
        ]
    }

    private func search(
        _ index: PlainNoteIndex, _ kind: Kind, _ clock: SearchClock
    ) throws -> SearchResults<PlainNote> {
        try index.index.search(
            SearchRequest(query: kind.query, ranking: kind.ranking, limit: .max), clock)
    }

    @Test("No kind of query works for long without a look at the time")
    func stretches() throws {
        var generator = SeededGenerator(seed: 11)
        let index = try Self.index(&generator)
        for kind in Self.kinds(index) {
            let clock = SearchClock(checks: .max)
            let all = try search(index, kind, clock)
            #expect(all.count > 50, "\(kind.name)")
            #expect(clock.longestStretch <= 8 * SearchClock.unitsPerCheck, "\(kind.name)")
            // All that grows with what is found is counted; all documents a thousand at a time.
            let least = kind.name == "everything" ? 0 : Self.noteCount / 4
            #expect(clock.countedWork >= least, "\(kind.name): \(clock.countedWork)")
            let known = Set(all.map(\.id))
            for checks in [0, 1, 3, 10] {
                let clock = SearchClock(checks: checks)
                let some = try search(index, kind, clock)
                #expect(known.isSuperset(of: some.map(\.id)), "\(kind.name), \(checks)")
                #expect(some.isComplete == !clock.isSpent, "\(kind.name), \(checks)")
                #expect(
                    clock.workAfterEnd <= 40 * SearchClock.unitsPerCheck,
                    "\(kind.name), \(checks): \(clock.workAfterEnd)")
            }
        }
    }

    @Test("Once the time is over, the other parts of a query are not begun")
    func otherParts() throws {
        var generator = SeededGenerator(seed: 12)
        let index = try Self.index(&generator)
        let patterns = (0..<500).map { Query.regularExpression("w(a|b|\($0)){1,60}.*(x|y)?") }
        for query in [Query.any(of: patterns), .any(of: patterns.map { .boost($0, 2) })] {
            let clock = SearchClock(checks: 3)
            _ = try search(index, Kind(name: "", query: query), clock)
            #expect(clock.isSpent)
            #expect(clock.countedWork < 100 * SearchClock.unitsPerCheck)
        }
    }

    @Test("Every kind of query keeps to its memory: it fails, or says that it is incomplete")
    func memory() throws {
        var generator = SeededGenerator(seed: 13)
        let index = try Self.index(&generator)
        for kind in Self.kinds(index) {
            let free = SearchClock(.unlimited, longest: nil)
            let all = try search(index, kind, free)
            #expect(all.isComplete && free.memory.isGivenBack, "\(kind.name): \(free.memory.used)")
            let peak = free.memory.peak
            #expect(peak >= all.count * 12, "\(kind.name): \(peak)")
            let known = Set(all.map(\.id))
            // An array counts with its capacity, of which the allocator may give a little more
            // each time it grows: the same search takes up to twice as much another time. It is
            // short from three quarters of the limit on.
            for limit in [0, peak / 16, peak / 3, peak / 2, peak - 1, 3 * peak] {
                let clock = SearchClock(.unlimited, longest: nil, memory: limit)
                do {
                    let some = try search(index, kind, clock)
                    #expect(known.isSuperset(of: some.map(\.id)), "\(kind.name), \(limit)")
                    let says = some.diagnostics.contains { $0.kind == .limitExceeded }
                    #expect(some.isComplete == !says, "\(kind.name), \(limit)")
                    if some.isComplete { #expect(some.count == all.count, "\(kind.name)") }
                    #expect(limit < peak || some.isComplete, "\(kind.name)")
                } catch let error as TextIndexError {
                    #expect(error.code == .limitExceeded && limit < peak, "\(kind.name), \(limit)")
                }
                #expect(clock.memory.peak <= limit && clock.memory.isGivenBack, "\(kind.name)")
            }
        }
    }

    // The sanitizers keep memory that was given back.
    #if !ADDRESS_SANITIZER && !THREAD_SANITIZER
        @Test(
            "A word that a phrase repeats is read once: memory is that of a slice of the documents")
        func repeatedWord() async throws {
            guard FileManager.default.isWritableFile(atPath: "/proc/self/clear_refs") else {
                return
            }
            await #expect(processExitsWith: .success) {
                func kilobytes(_ name: String) throws -> Int {
                    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
                    let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
                    return Int(line.filter(\.isNumber)) ?? 0
                }
                let text = Array(repeating: "data", count: 1_000).joined(separator: " ")
                let index = try PlainNoteIndex((0..<200).map { PlainNote("\($0)", text) }) {
                    $0.queryLimits.memory = 32 << 20
                }
                try index.index.flush()
                let phrase = Query.phrase(
                    Array(repeating: "data", count: 40).joined(separator: " "), slop: 10)
                _ = try index.index.search(.phrase("data data", slop: 1))
                try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
                let before = try kilobytes("VmRSS")
                let found = try index.index.search(phrase)
                let grown = try kilobytes("VmHWM") - before
                // 40 copies of all hits are 190 MB.
                guard found.isComplete, found.totalCount.value == 200, grown < 64_000 else {
                    print(found.isComplete, found.totalCount.value, grown)
                    exit(1)
                }
            }
        }
    #endif
}

extension SeededGenerator {
    /// A note of many different words, and of some that all have.
    mutating func boundsNote(_ id: Int, _ title: String) -> PlainNote {
        let letters = Array("abcdefghij")
        let words = (0..<12).map { _ in "w" + String((0..<4).map { _ in element(letters) }) + "x" }
        return PlainNote(
            "\(id)", title, (words + ["common", "end", "data"]).joined(separator: " "),
            weight: Double(id % 3))
    }
}
