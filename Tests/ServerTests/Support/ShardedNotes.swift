import Foundation
import TextIndexInterface
import TextSearch

@testable import TextIndexServer

#if !THREAD_SANITIZER
    import Synchronization
#endif

/// Notes in several shards, and all of them in one index, in the order of the shards.
struct ShardedNotes: Sendable {
    let whole: TextIndex<Note>
    let shards: [TextIndex<Note>]
    let book: TestServer.NoteBook
    let plan: SetPlan
    /// The numbers of the shards whose files are said to be gone.
    let gone = Gone()

    final class Gone: Sendable {
        private let numbers: Mutex<Set<Int>> = Mutex([])

        func contains(_ number: Int) -> Bool { numbers.withLock { $0.contains(number) } }
        func insert(_ number: Int) { _ = numbers.withLock { $0.insert(number) } }
    }

    /// Makes the indexes for as long as `body` runs.
    ///
    /// - Parameters:
    ///   - notes: the notes.
    ///   - count: how many shards there are.
    ///   - generation: what tells the set from others.
    ///   - shard: to which shard a note belongs; by its place if nobody says.
    ///   - removed: notes that are indexed, flushed and removed again.
    ///   - change: changes the settings of all indexes.
    ///   - body: what to do with them.
    /// - Throws: What the indexes and `body` throw.
    static func use(
        _ notes: [Note], shards count: Int, generation: String = "g1",
        shard: (Int) -> Int? = { _ in nil }, removed: [Note] = [],
        change: (inout TextIndexConfiguration) -> Void = { _ in },
        _ body: (ShardedNotes) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "textindex-shards-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let book = TestServer.NoteBook(notes)
        var parts = [[Note]](repeating: [], count: count)
        for (place, note) in notes.enumerated() {
            parts[(shard(place) ?? place) % count].append(note)
        }
        var configuration = TestServer.configuration()
        change(&configuration)
        func index(_ name: String, _ notes: [Note]) async throws -> TextIndex<Note> {
            let index = try TextIndex<Note>(
                at: folder.appending(path: name), configuration: configuration)
            TestServer.setHooks(index, book)
            if !removed.isEmpty {
                _ = try await index.indexObjects(Array(notes.prefix(notes.count / 2)) + removed)
                try await index.flush()
                for note in removed { _ = try await index.removeIndex(for: note).value() }
            }
            if !notes.isEmpty { _ = try await index.indexObjects(notes) }
            return index
        }
        var shards: [TextIndex<Note>] = []
        for (number, part) in parts.enumerated() {
            shards.append(try await index("\(number)", part))
        }
        let whole = try await index("whole", parts.flatMap { $0 })
        let made = ShardedNotes(
            whole: whole, shards: shards, book: book,
            plan: SetPlan(generation: generation, names: (0..<count).map { "shard-\($0)" }))
        try await body(made)
        for index in shards + [whole] { try await index.shutdown() }
    }

    var wholeSource: IndexSource<Note> {
        IndexSource(name: "notes") { TestServer.served(whole, book) }
    }

    /// The set with some of its shards.
    func set(_ numbers: ShardNumbers = .all) -> ServedSet<Note> {
        ServedSet(
            plan: plan,
            shards: numbers.numbers(of: shards.count).map { number in
                ServedShard(
                    number: number, served: TestServer.served(shards[number], book),
                    isThere: { [gone] in !gone.contains(number) })
            })
    }

    func source(_ numbers: ShardNumbers = .all) -> SetSource<Note> {
        SetSource(newest: { plan }, open: { set(numbers) })
    }
}
