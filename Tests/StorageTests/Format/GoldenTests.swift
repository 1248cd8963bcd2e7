import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Stored indexes of every format that was released open, verify, and answer as an index that is
/// made anew of the same objects.
@Suite("Stored indexes")
struct GoldenTests {
    private static let keywords = [
        "", "the", "bridge", "run", "edition2", "map", "橋", "лёд", "full",
    ]
    private static let queries = [
        "running", "\"old cities\"", "title:fluss OR 古い", "stud* -rivers", "price:[2 TO 7] islands",
        "kind:map +keepers", "promis~1", "νησ*",
    ]

    /// Everything that the index says of its objects, in an order that does not depend on where
    /// they lie.
    private func answers(_ index: TextIndex<GoldenObject>) throws -> [String] {
        func line(_ item: SearchResultItem<GoldenObject>) -> String {
            let tokens = item.resultTokens.map {
                "\($0.string).\($0.word).\($0.token).\($0.length)"
            }
            let context = item.context.sorted { $0.key < $1.key }
            return "\(item.identifier.base64EncodedString()) \(item.weight) \(context) \(tokens)"
        }
        var lines = try index.identifiers().map { $0.base64EncodedString() }
        for keyword in Self.keywords {
            lines += try index.searchResults(forKeyword: keyword).map { "\(keyword): \(line($0))" }
        }
        for query in Self.queries {
            let found = try index.search(query, limit: .max)
            #expect(!found.items.isEmpty, "\(query) finds nothing")
            lines += found.map { "\(query): \(line($0))" }.sorted()
        }
        let facets: [Facet] = [
            .values(of: "kind"), .histogram(of: "price", every: 2.5), .values(of: "isOld"),
        ]
        for counts in try index.search(.everything, limit: 0, facets: facets).facets {
            lines += counts.buckets.map { "\(counts.facet.attribute) \($0.key): \($0.count)" }
        }
        return lines
    }

    @Test(
        "The stored indexes have one of each kind in the present format",
        arguments: GoldenIndex.allCases)
    func present(golden: GoldenIndex) throws {
        let files = try DirectoryContents(of: golden.directory(format: Manifest.format)).files
        #expect(files["CURRENT"] != nil)
    }

    @Test(
        "Stored indexes open, verify, answer and go on", arguments: GoldenIndex.allCases,
        Manifest.oldestFormat...Manifest.format)
    func open(golden: GoldenIndex, format: UInt8) throws {
        let folder = try TemporaryFolder("golden")
        try golden.copy(format: format, to: folder("index"))
        let index = try GoldenIndex.open(at: folder("index"))
        let isTold = index.recovery.discardedByteCount > 0
        #expect(isTold == (golden == .torn))
        let report = try index.verify(depth: .full)
        #expect(report.isClean, "\(report)")
        let new = try GoldenIndex.open(at: folder("new"))
        try GoldenIndex.apply(golden.operationCount, to: new, isFlushed: false)
        let expected = try answers(new)
        let isSame = try answers(index) == expected
        #expect(isSame)
        try new.closeVerified()
        // It is as good as a new one.
        let added = GoldenObject(number: 100, version: 1)
        index.indexObject(added).waitUntilFinished()
        try index.optimize()
        try index.closeVerified()
        let again = try GoldenIndex.open(at: folder("index"))
        #expect(again.recovery.discardedByteCount == 0)
        #expect(try again.search("number100", limit: 5).map(\.identifier) == [added.identifier])
        again.removeIndex(forIdentifier: added.identifier).waitUntilFinished()
        let isSameAgain = try answers(again) == expected
        #expect(isSameAgain)
        try again.closeVerified()
    }

    /// `TEXTSEARCH_GOLDEN=path` writes them for the present format: see `make golden`.
    @Test(
        "Indexes of the present format are written on demand",
        .enabled(if: ProcessInfo.processInfo.environment["TEXTSEARCH_GOLDEN"] != nil))
    func write() throws {
        let path = try #require(ProcessInfo.processInfo.environment["TEXTSEARCH_GOLDEN"])
        let folder = URL(fileURLWithPath: path).appendingPathComponent("\(Manifest.format)")
        // What was released is never written again.
        try #require(!FileManager.default.fileExists(atPath: folder.path))
        try GoldenIndex.write(to: folder)
    }
}
