import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// A database and the index that follows it, in a folder of its own.
struct Followed {
    let folder: TemporaryFolder
    let source: MemorySource
    let index: TextIndex<PlainNote>

    /// With so many notes in the database, which nobody has read.
    init(
        _ count: Int = 0, seed: UInt64 = 1, _ configuration: TextIndexConfiguration = .init()
    ) throws {
        folder = try TemporaryFolder("following")
        source = MemorySource(seed: seed)
        index = try FollowedModel.makeIndex(at: folder("index"), configuration)
        var generator = SeededGenerator(seed: 11)
        guard count > 0 else { return }
        source.commit(
            (0..<count).map { number in
                let id = String(format: "%04d", number)
                return (id, FollowedModel.note(id, &generator))
            })
    }

    /// A follower of the index.
    func follower(
        slice: Int = 4_000, _ change: (inout FollowerOptions) -> Void = { _ in }
    ) throws -> IndexFollower<MemorySource> {
        var options = FollowerOptions.quiet(slice: slice)
        change(&options)
        return try IndexFollower(index, following: source, options: options)
    }

    /// The index is what the database is.
    func expectSame(sourceLocation: SourceLocation = #_sourceLocation) throws {
        try expectSame(index, sourceLocation: sourceLocation)
    }

    /// The same of an index that was opened again.
    func expectSame(
        _ index: TextIndex<PlainNote>, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(
            try FollowedModel(notes: source.notes).differences(from: index) == [],
            sourceLocation: sourceLocation)
    }

    func close() throws { try index.closeVerified() }
}

extension FollowerOptions {
    /// No clock: tests ask.
    static func quiet(slice: Int = 4_000) -> FollowerOptions {
        var options = FollowerOptions()
        options.slice.count = slice
        options.polling = nil
        return options
    }
}
