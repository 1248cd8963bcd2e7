import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// What a follower publishes, and what it makes up for.
@Suite("A follower that publishes", .timeLimit(.minutes(10)))
struct FollowerPublishingTests {
    private func makeFollower(
        _ index: TextIndex<PlainNote>, _ source: MemorySource, _ directory: URL, slice: Int = 10
    ) throws -> IndexFollower<MemorySource> {
        var options = FollowerOptions.quiet(slice: slice)
        options.publishes = directory
        return try IndexFollower(index, following: source, options: options)
    }

    private func fill(_ source: MemorySource, _ range: Range<Int>) {
        source.commit(range.map { ("\($0)", PlainNote("\($0)", "duck x\($0)")) })
    }

    /// The identifiers of the newest generation.
    private func published(_ directory: URL) throws -> [String] {
        let index = try TextIndex<PlainNote>(published: directory)
        let found = try index.identifiers().map { String(decoding: $0, as: UTF8.self) }.sorted()
        try index.close()
        return found
    }

    private func wanted(_ source: MemorySource) -> [String] { source.notes.keys.sorted() }

    @Test("What could not be published is published by the next call, without any change")
    func failure() async throws {
        let followed = try Followed()
        let (folder, index, source) = (followed.folder, followed.index, followed.source)
        // A file is where the directory should be.
        try Data().write(to: folder("public"))
        let follower = try makeFollower(index, source, folder("public"))
        fill(source, 0..<30)
        await #expect(throws: TextIndexError.self) { try await follower.catchUp() }
        #expect(try follower.status.lastError != nil)
        #expect(index.count == 30)
        try FileManager.default.removeItem(at: folder("public"))
        #expect(try await follower.catchUp().sliceCount == 0)
        #expect(try published(folder("public")) == wanted(source))
        // Nothing new is not published again.
        try await follower.catchUp()
        #expect(try TextIndex<PlainNote>.newestGeneration(published: folder("public")) == 1)
        try index.closeVerified()
    }

    @Test("After an error amid the slices, the rest and what came before are published")
    func errorBetweenSlices() async throws {
        let followed = try Followed()
        let (folder, index, source) = (followed.folder, followed.index, followed.source)
        let follower = try makeFollower(index, source, folder("public"))
        try await follower.catchUp()
        fill(source, 0..<25)
        source.beforeRead { if $0 == 3 { throw MemorySource.Unreachable() } }
        await #expect(throws: MemorySource.Unreachable.self) { try await follower.catchUp() }
        #expect(index.count < 25)
        #expect(try published(folder("public")) == [])
        try await follower.catchUp()
        #expect(try published(folder("public")) == wanted(source))
        try index.closeVerified()
    }

    @Test("A process that ended before it published is made up for by the next one")
    func nextProcess() async throws {
        let followed = try Followed()
        let (folder, source) = (followed.folder, followed.source)
        var index = followed.index
        try await makeFollower(index, source, folder("public")).catchUp()
        fill(source, 0..<12)
        // One that does not publish stands for the process that was killed before it could.
        try await followed.follower().catchUp()
        try index.closeVerified()
        #expect(try published(folder("public")) == [])
        index = try FollowedModel.makeIndex(at: folder("index"))
        let follower = try makeFollower(index, source, folder("public"))
        try await follower.catchUp()
        #expect(try published(folder("public")) == wanted(source))
        // So is what was put right.
        try await index.apply([.remove(Data("3".utf8))])
        #expect(try await follower.repairDrift().missing == [Data("3".utf8)])
        #expect(try published(folder("public")) == wanted(source))
        try index.closeVerified()
    }
}
