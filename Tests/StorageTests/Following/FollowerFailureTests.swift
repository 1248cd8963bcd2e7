import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

@Suite("Objects that cannot be indexed", .timeLimit(.minutes(10)))
struct FollowerFailureTests {
    private static func configuration() -> TextIndexConfiguration {
        var configuration = TextIndexConfiguration()
        configuration.maximumStringLength = 100
        return configuration
    }

    private static let broken = PlainNote("broken", FollowedModel.failing)
    private static let long = PlainNote("long", String(repeating: "duck ", count: 30))

    @Test("A failure names its object and says why", arguments: [false, true])
    func naming(isFirst: Bool) async throws {
        let followed = try Followed(0, Self.configuration())
        let (index, source) = (followed.index, followed.source)
        let follower = try followed.follower()
        source.put(PlainNote("a", "duck"))
        if !isFirst { try await follower.catchUp() }
        source.put(Self.broken, PlainNote("b", "goose"), Self.long)
        let report = try await follower.catchUp()
        #expect(report.failureCount == 2)
        #expect(
            report.failures.map(\.identifier) == [Self.broken.identifier, Self.long.identifier])
        #expect(
            (report.failures.last?.error as? TextIndexError)?.message.contains(
                "maximumStringLength is 100") == true)
        #expect(index.count == 2)
        // They are read once.
        #expect(try await follower.catchUp().failureCount == 0)
        try index.closeVerified()
    }

    @Test("Drift counts what cannot be indexed, and not what its indexer leaves out")
    func drift() async throws {
        let followed = try Followed(0, Self.configuration())
        let (index, source) = (followed.index, followed.source)
        let follower = try followed.follower(slice: 2)
        source.put(
            PlainNote("a", "duck"), Self.broken, PlainNote("empty"), Self.long,
            PlainNote("z", "goose"))
        try await follower.catchUp()
        let report = try await follower.drift()
        #expect(report.isEmpty)
        #expect(report.comparedCount == 5)
        #expect(report.failed == [Self.broken.identifier, Self.long.identifier])
        #expect(report.failureReasons.count == 2)
        #expect(report.failureReasons.last?.contains("maximumStringLength is 100") == true)
        #expect(report.skippedCount == 0)
        // What the index has of such an object is too much.
        try await index.apply([.index(PlainNote("long", "duck"))])
        let stale = try await follower.repairDrift()
        #expect(stale.extra == [Self.long.identifier])
        #expect(stale.failed == report.failed)
        #expect(try await follower.drift() == report)
        // One that changes while objects are compared is not known to fail yet.
        source.put(PlainNote("long", "goose"))
        try await follower.catchUp()
        let count = source.readCount
        source.beforeRead { if $0 > count + 1 { source.put(Self.long) } }
        let during = try await follower.drift()
        #expect(during.isEmpty)
        #expect(during.failed == [Self.broken.identifier])
        source.beforeRead(nil)
        #expect(try await follower.drift() == report)
        try index.closeVerified()
    }

    @Test("Each way to write and remove names what fails")
    func otherWays() async throws {
        let followed = try Followed(0, Self.configuration())
        let index = followed.index
        let notes = [PlainNote("a", "duck"), Self.broken, Self.long]
        let indexed = try await index.indexObjects(notes)
        #expect(
            indexed.failures.map(\.identifier) == [Self.broken.identifier, Self.long.identifier])
        #expect(indexed.failures.map(\.offset) == [1, 2])
        let changes: [IndexChange<PlainNote>] = [
            .index(Self.long), .index(PlainNote("b", "goose")), .index(Self.broken),
        ]
        let applied = try await index.apply(changes) { _ in }
        #expect(
            applied.failures.map(\.identifier) == [Self.long.identifier, Self.broken.identifier])
        let tooLong = Data(repeating: 1, count: 5_000)
        let removed = try await index.removeObjects(
            withIdentifiers: [Data("a".utf8), tooLong])
        #expect(removed.failures.map(\.identifier) == [tooLong])
        #expect(index.count == 1)
        try index.closeVerified()
    }
}
