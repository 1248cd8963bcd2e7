import Foundation
import Synchronization

/// Ends a follower's reading after the slice under way.
final class StopSignal: Sendable {
    private let flag = Atomic<Bool>(false)

    var isStopped: Bool { flag.load(ordering: .relaxed) }

    func stop() { flag.store(true, ordering: .relaxed) }
}

/// What came of a reading: told apart from the reader, which is gone with the call that pulls from
/// it.
final class FollowerProgress: Sendable {
    struct Values: Sendable {
        var sliceCount = 0
        var skippedCount = 0
        /// What the last mark says.
        var state: FollowerState
        /// Whether all was read that was to be.
        var hasEnded = false
        var error: (any Error)?
    }

    private let guarded: Mutex<Values>

    init(_ state: FollowerState) { guarded = Mutex(Values(state: state)) }

    var values: Values { guarded.withLock { $0 } }

    func update(_ change: @Sendable (inout Values) -> Void) { guarded.withLock { change(&$0) } }
}

/// Pulls a database's objects and changes slice by slice, and puts a mark behind each slice: what a
/// follower applies. It calls the indexer, so that what it gives depends on no type: to pass on
/// objects of any type costs as much as a tenth of indexing them.
///
/// Each mark expects the one before, so that of two followers with one name one fails and nothing
/// is applied twice out of turn.
final class FollowerReader<Source: ChangeSource>: Sequence, IteratorProtocol {
    private let source: Source
    private let index: TextIndex<Source.Object>
    private let name: String
    private let limit: SliceLimit
    private let signal: StopSignal
    private let progress: FollowerProgress
    private var state: FollowerState
    /// What is stored, once what came before is.
    private var known: Data?
    /// Where to stop following; known once there is more than a slice.
    private var target: SourcePosition?
    /// The changes of a slice, of which those before `place` were given. None of it is generic, so
    /// that to give one is to move it.
    private var changes: [ReadChange?] = []
    private var place = 0
    /// What comes behind the slice.
    private var mark: ClientState?
    private var first: ReadChange?
    private var hasEnded = false
    private var knowsStore = false
    /// The document that a sweep goes on with.
    private var sweepPlace: UInt32 = 0
    private let compares: Bool

    /// `compares`: objects that the index has as they are need not be indexed again.
    init(
        _ source: Source, for index: TextIndex<Source.Object>, name: String,
        from state: FollowerState, known: Data?, compares: Bool, limit: SliceLimit,
        signal: StopSignal, progress: FollowerProgress
    ) {
        self.compares = compares
        self.source = source
        self.index = index
        self.name = name
        self.state = state
        self.known = known
        self.limit = limit
        self.signal = signal
        self.progress = progress
    }

    /// Reads until there is something to apply; false where there is nothing. What failed is in the
    /// progress.
    func begin() -> Bool {
        first = next()
        return first != nil
    }

    func next() -> ReadChange? {
        if let change = first.take() { return change }
        while true {
            while place < changes.count {
                defer { place += 1 }
                if let change = changes[place].take() { return change }
            }
            if let mark = mark.take() { return .mark(mark) }
            if hasEnded {
                progress.update { $0.hasEnded = true }
                return nil
            }
            guard !signal.isStopped else { return nil }
            do {
                try readSlice()
            } catch {
                hasEnded = true
                progress.update { $0.error = error }
                return nil
            }
        }
    }

    /// Reads changes and their mark. Not inlined: what is generic is looked up once a slice.
    @inline(never)
    private func readSlice() throws {
        let isReading = state.phase.asStatus == .reading
        var slice = try read()
        place = 0
        changes.removeAll(keepingCapacity: true)
        changes.reserveCapacity(slice.count)
        let indexed = index.askingIndexer()
        for entry in slice.indices {
            // Each object goes when it was asked for, and none is copied.
            let object = slice[entry].object.take()
            changes.append(Self.change(slice[entry].identifier, object, indexed))
        }
        if compares, isReading { changes = try index.without(known: changes.compactMap { $0 }) }
    }

    @inline(__always)
    private static func change(
        _ identifier: Data, _ object: Source.Object?,
        _ indexed: (Source.Object, Data) throws -> IndexedObject?
    ) -> ReadChange {
        guard let object else { return .remove(identifier) }
        do {
            return .index(try indexed(object, identifier), identifier)
        } catch {
            return .failure(error, identifier)
        }
    }

    /// The next slice with its mark; nothing where there is nothing new.
    private func read() throws -> [SourceObject<Source.Object>] {
        switch state.phase {
        case .reading(let identifier, let sweeps): try readObjects(after: identifier, sweeps)
        case .sweeping: try sweep()
        case .following: try readChanges()
        }
    }

    private func readObjects(
        after identifier: Data?, _ sweeps: Bool
    ) throws -> [SourceObject<Source.Object>] {
        let found = try source.objects(after: identifier, limit: limit)
        if let next = found.next {
            guard next != identifier else {
                throw TextIndexError(
                    .invalidArgument, "The source goes on after the identifier it was asked for.")
            }
            state.phase = .reading(after: next, sweeps: sweeps)
        } else {
            state.phase = sweeps ? .sweeping : .following
        }
        return try marked(found.objects, skipped: found.skippedCount)
    }

    /// Removes what the database has not, some at a time; the mark comes behind the last of them.
    private func sweep() throws -> [SourceObject<Source.Object>] {
        let (identifiers, next) = try index.identifiers(from: sweepPlace, count: 1_000)
        let extra =
            identifiers.isEmpty
            ? [] : try source.objects(withIdentifiers: identifiers).filter { $0.object == nil }
        if let next {
            sweepPlace = next
            return extra
        }
        state.phase = .following
        return try marked(extra)
    }

    /// The first slice tells whether the database is the one that the state is of.
    private func nextChanges() throws -> ChangeSlice<Source.Object> {
        if knowsStore { return try source.changes(after: state.position, limit: limit) }
        let found = try source.changes(
            of: state.storeIdentifier, after: state.position, limit: limit)
        guard let found else { throw TextIndexError.otherStore }
        knowsStore = true
        return found
    }

    private func readChanges() throws -> [SourceObject<Source.Object>] {
        let found = try nextChanges()
        hasEnded = found.isLast
        if !found.isLast {
            if target == nil { target = try source.currentPosition() }
            if let target, found.position.ordinal >= target.ordinal { hasEnded = true }
        }
        if found.position == state.position {
            // Nothing follows it, whatever the source says.
            hasEnded = true
            if found.changes.isEmpty { return [] }
        }
        state.position = found.position
        return try marked(found.changes, skipped: found.skippedCount)
    }

    private func marked(
        _ objects: [SourceObject<Source.Object>], skipped: Int = 0
    ) throws -> [SourceObject<Source.Object>] {
        try state.check()
        let value = state.encoded()
        mark = ClientState(name, value, expecting: .some(known))
        known = value
        progress.update { [state] progress in
            progress.sliceCount += 1
            progress.skippedCount += skipped
            progress.state = state
        }
        return objects
    }
}
