import Foundation
import Synchronization

@testable import TestSupport
@testable import TextSearch

/// A database in memory that keeps a history as Core Data's persistent history does: positions
/// expire, deletions leave identifiers only, and the store may be replaced.
final class MemorySource: ChangeSource {
    struct Entry: Sendable {
        var ordinal: UInt64
        var id: String
        /// Proves that a position is of this history, not of another one that came as far.
        var nonce: UInt64
    }

    struct Contents: Sendable {
        var store = "first"
        var notes: [String: PlainNote] = [:]
        /// Oldest first; the first one is a position that nothing is known of before.
        var history = [Entry(ordinal: 0, id: "", nonce: 0)]
    }

    struct Unreachable: Error {}

    private struct Guarded: Sendable {
        var contents = Contents()
        var generator: SeededGenerator
        var readCount = 0
        var readObjectCount = 0
        var released: SourcePosition?
        var cannotRelease = false
        /// Called before each slice with how many there were.
        var beforeRead: (@Sendable (Int) throws -> Void)?
        var observers: [Int: @Sendable () -> Void] = [:]
        var observerCount = 0
    }

    private let guarded: Mutex<Guarded>

    init(seed: UInt64 = 1) { guarded = Mutex(Guarded(generator: SeededGenerator(seed: seed))) }

    // MARK: The database

    /// All of it, to be put back later as a restored copy.
    var contents: Contents {
        get { guarded.withLock { $0.contents } }
        set { guarded.withLock { $0.contents = newValue } }
    }

    var notes: [String: PlainNote] { contents.notes }

    /// How many slices of changes or objects were read, and how many objects in slices of objects.
    var readCount: Int { guarded.withLock { $0.readCount } }
    var readObjectCount: Int { guarded.withLock { $0.readObjectCount } }
    var released: SourcePosition? { guarded.withLock { $0.released } }

    /// Whether history cannot be released, as while another process has the database locked.
    func refuseRelease(_ refuses: Bool) { guarded.withLock { $0.cannotRelease = refuses } }

    func beforeRead(_ body: (@Sendable (Int) throws -> Void)?) {
        guarded.withLock { $0.beforeRead = body }
    }

    /// Commits a transaction: a note, or nil to delete one, for each identifier.
    func commit(_ changes: [(String, PlainNote?)]) {
        let observers = guarded.withLock { guarded in
            for (id, note) in changes {
                guarded.contents.notes[id] = note
                let ordinal = (guarded.contents.history.last?.ordinal ?? 0) + 1
                guarded.contents.history.append(
                    Entry(ordinal: ordinal, id: id, nonce: guarded.generator.next()))
            }
            return Array(guarded.observers.values)
        }
        for observer in observers { observer() }
    }

    func put(_ notes: PlainNote...) { commit(notes.map { ($0.id, $0) }) }

    func delete(_ ids: String...) { commit(ids.map { ($0, nil) }) }

    /// Forgets the oldest history, but for the last entries.
    func expire(keeping count: Int) {
        guarded.withLock { guarded in
            let history = guarded.contents.history
            guarded.contents.history = Array(history.suffix(max(count, 1)))
        }
    }

    // MARK: What a follower asks

    var storeIdentifier: String { contents.store }

    private static func position(_ entry: Entry) -> SourcePosition {
        SourcePosition(
            ordinal: entry.ordinal, token: withUnsafeBytes(of: entry.nonce) { Data($0) })
    }

    func currentPosition() throws -> SourcePosition {
        try guarded.withLock { guarded in
            guard let last = guarded.contents.history.last else { throw Unreachable() }
            return Self.position(last)
        }
    }

    private func beginRead() throws {
        let (body, count) = guarded.withLock { guarded in
            guarded.readCount += 1
            return (guarded.beforeRead, guarded.readCount)
        }
        try body?(count)
    }

    func changes(
        after position: SourcePosition, limit: SliceLimit
    ) throws -> ChangeSlice<PlainNote> {
        try beginRead()
        let contents = contents
        guard
            let start = contents.history.firstIndex(where: { Self.position($0) == position }),
            let last = contents.history.last
        else { throw TextIndexError(.historyLost, "The position is no part of the history.") }
        let entries = contents.history[(start + 1)...].prefix(limit.count)
        return ChangeSlice(
            entries.map { SourceObject(Data($0.id.utf8), contents.notes[$0.id]) },
            position: entries.last.map(Self.position) ?? position,
            isLast: (entries.last?.ordinal ?? last.ordinal) == last.ordinal)
    }

    func objects(after identifier: Data?, limit: SliceLimit) throws -> ObjectSlice<PlainNote> {
        try beginRead()
        let start = identifier.map { String(decoding: $0, as: UTF8.self) }
        let sorted = notes.sorted { $0.key < $1.key }
            .drop { note in start.map { note.key <= $0 } ?? false }
        let found = sorted.prefix(limit.count)
        guarded.withLock { $0.readObjectCount += found.count }
        return ObjectSlice(
            found.map { SourceObject(Data($0.key.utf8), $0.value) },
            next: sorted.count > found.count ? found.last.map { Data($0.key.utf8) } : nil)
    }

    func objects(withIdentifiers identifiers: [Data]) throws -> [SourceObject<PlainNote>] {
        let notes = notes
        return identifiers.map {
            SourceObject($0, notes[String(decoding: $0, as: UTF8.self)])
        }
    }

    func release(through position: SourcePosition) throws {
        try guarded.withLock { guarded in
            if guarded.cannotRelease { throw Unreachable() }
            // A copy that was put back since may never have come so far.
            guard guarded.contents.history.contains(where: { Self.position($0) == position })
            else { return }
            guarded.released = position
            guarded.contents.history.removeAll { $0.ordinal < position.ordinal }
        }
    }

    func onChange(_ body: @escaping @Sendable () -> Void) -> ChangeObservation {
        let number = guarded.withLock { guarded in
            guarded.observerCount += 1
            guarded.observers[guarded.observerCount] = body
            return guarded.observerCount
        }
        return ChangeObservation { [weak self] in
            self?.guarded.withLock { $0.observers[number] = nil }
        }
    }
}

/// What is to be found of notes: plain arrays, searched one by one.
struct FollowedModel {
    static let words = [
        "duck", "goose", "orange", "sugar", "glaze", "torch", "oven", "river", "stone", "paper",
    ]

    let notes: [String: PlainNote]

    /// A note without text is left out by the indexer, and one with this word fails in it.
    static let failing = "broken"

    static func isIndexed(_ note: PlainNote) -> Bool {
        !note.strings.isEmpty && !note.strings.contains { $0.contains(failing) }
    }

    struct Failure: Error {}

    static func makeIndex(
        at directory: URL, _ configuration: TextIndexConfiguration = .init()
    ) throws -> TextIndex<PlainNote> {
        let index = try TextIndex<PlainNote>(at: directory, configuration: configuration)
        index.identifier = { $0.identifier }
        index.indexer = { note, _ in
            if note.strings.contains(where: { $0.contains(failing) }) { throw Failure() }
            if note.strings.isEmpty { return nil }
            return IndexedObject(
                strings: note.strings, weight: note.weight, context: note.context)
        }
        return index
    }

    static func note(_ id: String, _ generator: inout SeededGenerator) -> PlainNote {
        var note = PlainNote(id)
        let kind = generator.int(0...19)
        if kind == 0 { return note }
        let count = generator.int(1...6)
        note.strings = [(0..<count).map { _ in generator.element(words) }.joined(separator: " ")]
        if kind == 1 { note.strings.append(failing) }
        note.weight = Double(generator.int(0...9))
        note.context = ["stamp": .string("\(generator.next())")]
        return note
    }

    /// What an index has otherwise than the notes; nothing where it is right.
    func differences(from index: TextIndex<PlainNote>) throws -> [String] {
        var found: [String] = []
        let wanted = notes.filter { Self.isIndexed($0.value) }
        let ids = try index.identifiers().map { String(decoding: $0, as: UTF8.self) }.sorted()
        if ids != wanted.keys.sorted() {
            found.append("objects \(ids), not \(wanted.keys.sorted())")
        }
        for (id, note) in wanted {
            guard let item = try index.item(for: Data(id.utf8)) else { continue }
            if item.context != note.context || item.weight != note.weight {
                found.append("\(id) is an older one")
            }
        }
        for word in Self.words {
            let hits = try index.search(.term(word), limit: .max).map(\.id).sorted()
            let right = wanted.filter { $0.value.strings.joined().contains(word) }.keys.sorted()
            if hits != right { found.append("\(word) finds \(hits), not \(right)") }
        }
        return found
    }
}
