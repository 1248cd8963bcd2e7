import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Everything that may be asked of an index besides a search.
@Suite("What each kind of call may take")
struct CallBoundsTests {
    /// What a call gave: what was found, and whether that is all.
    private struct Answer {
        var found: [String: Int]
        var isComplete: Bool
    }

    private struct Call {
        var name: String
        var run: (SearchClock) throws -> Answer
    }

    private static let noteCount = 600
    private static let longText = Array(repeating: "data", count: 20_000).joined(separator: " ")

    /// Notes with values to count, some of them in memory, and one with a word that it has very
    /// often.
    private static func index(
        _ generator: inout SeededGenerator, isFlushed: Bool = false
    ) throws -> PlainNoteIndex {
        let index = try PlainNoteIndex {
            $0.fields = ["title", "body"]
            $0.inlinePostingsLimit = 64
        }
        index.index.indexer = { note, _ in
            IndexedObject(
                strings: note.strings, weight: note.weight,
                attributes: ["kind": .string("kind \(note.id)")])
        }
        for round in 0..<3 {
            let ids = round * noteCount / 3..<(round + 1) * noteCount / 3
            try index.add(ids.map { generator.boundsNote($0, "common data data 北京烤鸭") })
            if round < 2 || isFlushed { try index.index.flush() }
        }
        try index.add([PlainNote("long", longText, "common")])
        if isFlushed { try index.index.flush() }
        return index
    }

    private static func answer(_ results: SearchResults<PlainNote>) -> Answer {
        Answer(found: counted(results.map(\.id)), isComplete: results.isComplete)
    }

    private static func counted(_ names: some Sequence<String>) -> [String: Int] {
        Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    }

    private static func calls(
        _ index: PlainNoteIndex, _ other: PlainNoteIndex
    ) throws -> [Call] {
        let index = index.index
        return keywordCalls(index) + typingCalls(index) + suggestionCalls(index)
            + [
                Call(name: "explain") { clock in
                    let reason = try index.explain(
                        missing: Data("7".utf8),
                        SearchRequest(query: .all(of: [.prefix("w"), .term("nowhere")])), clock)
                    return Answer(
                        found: ["\(reason.reason)": 1], isComplete: !clock.isSpent)
                },
                Call(name: "similar") { clock in
                    let words = (0..<300).map { "w\($0) common" }.joined(separator: " ")
                    var options = SimilarityOptions()
                    options.minimumOccurrences = 1
                    options.limit = .max
                    return answer(
                        try index.similarObjects(
                            toText: words + " data end", options, clock))
                },
                Call(name: "facets") { clock in
                    let request = SearchRequest(query: .prefix("w"), limit: 10)
                    let facets: [Facet] = [
                        .values(of: "kind", limit: .max),
                        .values(of: "kind", limit: .max, order: .bestHit, topHits: 2),
                    ]
                    let found = try index.search(request, facets, clock)
                    let keys = found.facets[0].buckets.map { "\($0.key)" }
                    return Answer(
                        found: counted(keys),
                        isComplete: found.isComplete && found.facets[0].isComplete)
                },
                Call(name: "federated") { clock in
                    let search = try FederatedSearch([index, other.index])
                    let second = SearchClock(clock, sharing: clock.memory)
                    let request = SearchRequest(
                        query: .any(of: [.prefix("w"), .term("common")]), limit: .max)
                    let found = try search.search(request, [clock, second])
                    #expect(second.workAfterEnd <= mostWorkAfterEnd, "the other index")
                    return Answer(
                        found: counted(found.hits.map { "\($0.source) \($0.item.id)" }),
                        isComplete: found.isComplete)
                },
                Call(name: "live") { clock in
                    var options = LiveOptions()
                    options.limit = 5_000
                    let live = try LiveQuery(
                        index, SearchRequest(query: .prefix("w"), limit: 5_000), options)
                    let found = try live.poll(.unlimited) { _ in clock }.difference
                    return Answer(
                        found: counted(found?.items.map(\.id) ?? []),
                        isComplete: found?.isComplete ?? false)
                },
                try percolation(index),
            ]
    }

    private static func percolation(_ index: TextIndex<PlainNote>) throws -> Call {
        let table = index.makeStoredQueries(named: String.self)
        for number in 0..<30 {
            try table.add(.all(of: [.infix("w"), .prefix("w\(number)")]), as: "infix \(number)")
            try table.add(.near(["data", "common"], within: number), as: "near \(number)")
        }
        let text = (0..<300).map { "w\($0) data" }.joined(separator: " ") + " common"
        return Call(name: "percolation") { clock in
            let names = try table.matches(
                IndexedObject(strings: [text, text + " " + text]), identifier: Data("new".utf8),
                clock)
            return Answer(found: counted(names ?? []), isComplete: names != nil)
        }
    }

    private static func keywordCalls(_ index: TextIndex<PlainNote>) -> [Call] {
        var calls: [Call] = []
        for keyword in ["a", "dat", "data common", "北京烤鸭", ""] {
            calls.append(
                Call(name: "keyword \(keyword)") { clock in
                    let items = try index.searchResults(forKeyword: keyword, [], clock)
                    return Answer(found: counted(items.map(\.id)), isComplete: clock.isComplete)
                })
            calls.append(
                Call(name: "enumeration of keyword \(keyword)") { clock in
                    let found = Shared<[String]>([])
                    try index.enumerateResults(forKeyword: keyword, [], clock, mostHits: 500) {
                        item, _, _, _ in
                        found.change { $0.append(item.id) }
                    }
                    return Answer(found: counted(found.current), isComplete: clock.isComplete)
                })
        }
        calls.append(
            Call(name: "count of keyword") { clock in
                let count = try index.resultCount(forKeyword: "com data", clock)
                return Answer(found: ["count": count], isComplete: clock.isComplete)
            })
        return calls
    }

    private static func typingCalls(_ index: TextIndex<PlainNote>) -> [Call] {
        ["w", "wa", "common d", "data common en"].map { text in
            Call(name: "typing \(text)") { clock in
                var options = TypingOptions()
                options.limit = .max
                let session = index.makeTypingSession(options)
                // What was typed before has left nothing behind.
                let typed = session.begin(text, nil)
                return answer(try session.answer(typed, clock))
            }
        }
    }

    private static func suggestionCalls(_ index: TextIndex<PlainNote>) -> [Call] {
        ["common w", "waaa commom", "common da"].map { text in
            Call(name: "suggestions for \(text)") { clock in
                var options = SuggestionOptions()
                options.limit = 1_000
                let found = try index.suggestions(
                    for: text, options, { _ in ["common data end common data"] }, clock)
                // Which are the best is known of them all.
                return Answer(
                    found: found.isComplete
                        ? counted(
                            (found.completions + found.corrections + found.phrases).map(\.text))
                        : [:], isComplete: found.isComplete)
            }
        }
    }

    /// What may be done once the time is over: putting together what was found.
    private static let mostWorkAfterEnd = 200 * SearchClock.unitsPerCheck

    @Test(
        "No call works for long without a look at the time; each keeps to its memory, or says so",
        arguments: [false, true])
    func bounds(isFlushed: Bool) throws {
        var generator = SeededGenerator(seed: 21)
        let index = try Self.index(&generator, isFlushed: isFlushed)
        let other = try Self.index(&generator, isFlushed: isFlushed)
        for call in try Self.calls(index, other) {
            try Self.checkSteps(of: call)
            try Self.checkMemory(of: call)
        }
    }

    private static func checkSteps(of call: Call) throws {
        let clock = SearchClock(checks: .max)
        let all = try call.run(clock)
        #expect(all.isComplete && !all.found.isEmpty, "\(call.name)")
        #expect(clock.countedWork > 0, "\(call.name)")
        #expect(
            clock.longestStretch <= 8 * SearchClock.unitsPerCheck,
            "\(call.name): \(clock.longestStretch)")
        for checks in [0, 1, 3, 10, 30] {
            let clock = SearchClock(checks: checks)
            let some = try call.run(clock)
            expect(some, among: all, "\(call.name), \(checks) checks")
            #expect(!some.isComplete || !clock.isSpent, "\(call.name), \(checks) checks")
            #expect(
                clock.workAfterEnd <= mostWorkAfterEnd,
                "\(call.name), \(checks): \(clock.workAfterEnd)")
        }
    }

    /// Counts of what is cut short are lower bounds; reasons are not known.
    private static func expect(_ some: Answer, among all: Answer, _ what: Comment) {
        if some.isComplete {
            #expect(some.found == all.found, what)
        } else if !what.description.contains("explain") {
            for (name, count) in some.found { #expect(count <= all.found[name] ?? 0, what) }
        }
    }

    private static func checkMemory(of call: Call) throws {
        let free = SearchClock(.unlimited, longest: nil)
        let all = try call.run(free)
        #expect(all.isComplete && free.memory.isGivenBack, "\(call.name): \(free.memory.used)")
        let peak = free.memory.peak
        #expect(peak >= 1_000, "\(call.name): \(peak)")
        // Three times, since arrays count with their capacity, which is up to twice as much another
        // time, and memory is short from three quarters of the limit on.
        for limit in [0, peak / 16, peak / 3, peak / 2, peak - 1, 3 * peak] {
            let clock = SearchClock(.unlimited, longest: nil, memory: limit)
            do {
                let some = try call.run(clock)
                expect(some, among: all, "\(call.name), \(limit) of \(peak) bytes")
                #expect(limit < peak || some.isComplete, "\(call.name)")
            } catch let error as TextIndexError {
                #expect(error.code == .limitExceeded && limit < peak, "\(call.name), \(limit)")
            }
            #expect(
                clock.memory.peak <= limit && clock.memory.isGivenBack,
                "\(call.name): \(clock.memory.used) of \(limit)")
        }
    }

    @Test("Calls that promise all fail where their memory is over, and others say what they are")
    func configuredLimit() throws {
        let index = try PlainNoteIndex((0..<500).map { PlainNote("\($0)", "word \($0)") }) {
            $0.queryLimits.memory = 9_000
        }
        try index.index.flush()
        func expectLimit(_ body: () throws -> Void) {
            let error = #expect(throws: TextIndexError.self, performing: body)
            #expect(error?.code == .limitExceeded)
        }
        expectLimit { _ = try index.index.searchResults(forKeyword: "wor") }
        expectLimit { try index.index.enumerateResults(forKeyword: "wor") { _, _, _, _ in } }
        expectLimit { _ = try index.index.resultCount(forKeyword: "wor 1") }
        expectLimit {
            _ = try index.index.explain(missing: Data("1".utf8), for: .term("word"))
        }
    }

    @Test("Objects with a part of a word are counted without a list of them")
    func countedWithoutList() throws {
        let index = try PlainNoteIndex((0..<4_000).map { PlainNote("\($0)", "word") })
        for stage in Stage.allCases {
            try index.enter(stage)
            let clock = SearchClock(.unlimited, longest: nil, memory: 12_000)
            #expect(try index.index.resultCount(forKeyword: "wor", clock) == 4_000)
            #expect(clock.isComplete && clock.memory.isGivenBack, "\(stage)")
        }
    }

    @Test(
        "A word that stands very often in one string is read piece by piece",
        arguments: Stage.allCases)
    func oftenInOneString(stage: Stage) throws {
        let text = Array(repeating: "ab", count: 100_000).joined(separator: " ")
        let index = try PlainNoteIndex([PlainNote("long", text), PlainNote("short", "ab ab cd")])
        try index.enter(stage)
        let queries: [Query] = [
            .phrase("ab ab"), .phrase("ab ab", slop: 3), .near(["ab", "ab"], within: 1),
            .all(of: [.term("ab"), .infix("a")]), .keyword("ab"),
        ]
        var peak = 0
        for query in queries {
            for ranking in [Ranking.relevance, .custom { $0.relevance }] {
                func search(_ clock: SearchClock) throws -> SearchResults<PlainNote> {
                    try index.index.search(SearchRequest(query: query, ranking: ranking), clock)
                }
                let clock = SearchClock(checks: .max)
                #expect(try search(clock).count == 2, "\(query)")
                #expect(
                    clock.longestStretch <= 8 * SearchClock.unitsPerCheck,
                    "\(query): \(clock.longestStretch)")
                let ended = SearchClock(checks: 2)
                _ = try search(ended)
                #expect(ended.countedWork <= 100 * SearchClock.unitsPerCheck, "\(query)")
                let small = SearchClock(.unlimited, longest: nil, memory: 1 << 20)
                do {
                    let found = try search(small)
                    #expect(found.count == 2 || !small.isComplete, "\(query)")
                } catch let error as TextIndexError where error.code == .limitExceeded {}
                #expect(small.memory.peak <= 1 << 20 && small.memory.used == 0, "\(query)")
                peak = max(peak, small.memory.peak)
            }
        }
        #expect(peak > 0)
    }
}
