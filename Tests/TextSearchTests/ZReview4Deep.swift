import Foundation
import Testing

@testable import TextSearch

/// Typed queries have no limits: a deep one ends the process. Run with ZREVIEW4_DEEP=1000, 10000, 100000.
@Suite("ZReview4Deep") struct ZReview4Deep {
    private static let depth = Int(ProcessInfo.processInfo.environment["ZREVIEW4_DEEP"] ?? "")

    @Test(.enabled(if: depth != nil)) func typedDepth() throws {
        let notes = try PlainNoteIndex([PlainNote("1", "duck"), PlainNote("2", "goose")])
        var query = Query.term("duck")
        for _ in 0..<(Self.depth ?? 0) { query = .all(of: [.any(of: [query, .term("swan")])]) }
        print("BUILT")
        print("NORMAL", query.normalized().children.count)
        #expect(try notes.ids(query) == ["1"])
        print("SEARCHED")
    }

    @Test(.enabled(if: depth != nil)) func typedPatterns() throws {
        let notes = try PlainNoteIndex((0..<200).map { PlainNote("\($0)", "duck\($0) goose") })
        let start = ContinuousClock.now
        let wide = Query.any(of: (0..<10_000).map { .infix("x\($0)") } + [.infix("oos")])
        #expect(try notes.index.search(wide).totalCount.value == 200)
        print("WIDE", ContinuousClock.now - start)
    }
}
