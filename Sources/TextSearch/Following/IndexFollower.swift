public import Foundation
import Synchronization

/// Keeps an index at the state of a database.
///
/// ```swift
/// let follower = try IndexFollower(index, following: source)
/// try follower.start()               // and from now on, whoever writes to the database
/// try await follower.catchUp()       // all that is committed now is searchable
/// ```
///
/// It reads all objects once, and then what changed. Its position is stored in the index, in the
/// commit of the changes it stands for (``ClientState``). So a process may be killed at any moment,
/// and the next one continues. If the database does not know the position, or is another one,
/// everything is compared anew.
///
/// Facts:
/// 1. The position is stored ⇒ all changes before it are in the index. After a crash some may be
///    applied again, which is harmless.
/// 2. Writers wait for nothing here: the database's history is the queue, and nothing piles up in
///    memory.
/// 3. Each slice is a short read of its own; no read lasts while the index works.
/// 4. One piece of work runs at a time. Calls wait for their turn; tasks that wait are suspended.
/// 5. Of two followers with one name, one throws `.mismatchedClientState` and goes on from what the
///    other has stored.
/// 6. Objects that cannot be indexed are counted and left out of the index; the position goes on.
///
/// **Thread safety**: everything may be called from any thread.
///
/// **Lifetime**: following ends when the follower is released. ``stop()`` also waits for work in
/// progress. Stop it before you close the index.
public final class IndexFollower<Source: ChangeSource>: Sendable {
    /// The index that follows the database.
    public let index: TextIndex<Source.Object>
    /// The database that the index follows.
    public let source: Source
    /// The name that distinguishes this follower from others of the same index.
    public let name: String
    /// The options that the follower was created with.
    public let options: FollowerOptions

    let stateName: String
    let work = SerialTasks()
    let life = Mutex(FollowerLife())

    /// Creates a follower. It reads nothing before it starts or catches up.
    ///
    /// - Parameters:
    ///   - index: the index. Do not add other objects: they are removed when everything is
    ///     compared.
    ///   - source: the database.
    ///   - name: what distinguishes it from others of the same index, up to 200 bytes in UTF-8.
    ///   - options: how it follows.
    /// - Throws: ``TextIndexError``: `.invalidArgument` for a name that is too long; `.readOnly`.
    public init(
        _ index: TextIndex<Source.Object>, following source: Source, name: String = "default",
        options: FollowerOptions = .init()
    ) throws {
        guard !index.configuration.isReadOnly else { throw TextIndexError.readOnly }
        guard name.utf8.count <= 200 else {
            throw TextIndexError(
                .invalidArgument,
                "The name of a follower has 200 bytes at most; this one has \(name.utf8.count).")
        }
        self.index = index
        self.source = source
        self.name = name
        self.options = options
        stateName = FollowerState.name(ofFollower: name)
    }

    deinit {
        let (loop, observers) = life.withLock { ($0.loop, $0.allObservers) }
        loop?.end()
        for observer in observers { observer.finish() }
    }

    // MARK: Following

    /// Ends what is under way at the next stop.
    var signal: StopSignal { life.withLock { $0.signal } }

    /// Whether the follower was started and not stopped.
    public var isFollowing: Bool { life.withLock { $0.loop != nil } }

    /// Starts to follow: changes become searchable soon after their commit. Starting again does
    /// nothing.
    ///
    /// Blocks its thread while the source begins its history.
    ///
    /// - Throws: What the source throws when it is asked for its position. Later failures are in
    ///   ``status`` and are tried again.
    public func start() throws {
        _ = try source.currentPosition()
        guard !isFollowing else { return }
        let signal = signal
        // The source may wait for the database, so nothing is held meanwhile.
        let loop = FollowerLoop(
            observing: source.onChange, polling: options.polling
        ) { [weak self] in
            guard let self, !signal.isStopped else { return false }
            // The status has what failed. What was started before a stop does not go on after it.
            _ = try? await self.work.run { try await self.catchUpNow(signal) }
            return true
        }
        let isFirst = life.withLock { life in
            guard life.loop == nil, life.signal === signal else { return false }
            life.loop = loop
            return true
        }
        if !isFirst { loop.end() }
    }

    /// Stops following. Returns when the slice in progress is finished.
    ///
    /// A ``catchUp()`` in progress throws `CancellationError`. History up to the position of the
    /// index is released.
    public func stop() async {
        let (loop, signal) = life.withLock { life in
            defer {
                life.loop = nil
                life.signal = StopSignal()
            }
            return (life.loop, life.signal)
        }
        signal.stop()
        loop?.end()
        await loop?.ended()
        // What waits in turn sees the signal as well. The history is kept where it cannot be
        // released.
        try? await work.run { try await self.release(isLast: true) }
    }

    /// Brings the index up to date. Returns when everything committed before the call is
    /// searchable.
    ///
    /// The first call reads all objects. It works whether or not the follower has started.
    ///
    /// Complexity: one short read of the source when nothing changed, and two if it has the default
    /// of ``ChangeSource/changes(of:after:limit:)``; otherwise linear in what did.
    ///
    /// - Returns: What was done.
    /// - Throws: What the source throws. ``TextIndexError``: `.historyLost` with
    ///   ``FollowerOptions/HistoryLoss/fail``; `.mismatchedClientState` when another follower of
    ///   the same name keeps getting ahead; `.closed`, `.diskFull`, `.io`. `CancellationError` when
    ///   the task is cancelled or the follower stopped: what was committed stays. That history
    ///   could not be released is in ``status`` alone, and is tried again.
    @discardableResult
    public func catchUp() async throws -> FollowerReport {
        let signal = signal
        return try await work.run { try await self.catchUpNow(signal) }
    }

    /// The phase and position of the follower. Blocks its thread for a short read of the source,
    /// and a short write where that keeps no history for this index yet.
    public var status: FollowerStatus {
        get throws {
            let lastError = life.withLock { $0.lastError }
            guard let state = try storedState() else {
                return FollowerStatus(phase: .new, position: nil, behind: 0, lastError: lastError)
            }
            let end = try source.currentPosition().ordinal
            return FollowerStatus(
                phase: state.phase.asStatus, position: state.position,
                behind: end > state.position.ordinal ? end - state.position.ordinal : 0,
                lastError: lastError)
        }
    }

    /// A stream of what becomes searchable from now on, with an update each time the follower has
    /// caught up. Any number of tasks may ask for it. Each gets all updates, but only the newest
    /// 1,000 of those it has not taken.
    public var updates: AsyncStream<IndexUpdate> {
        let (stream, observer) = AsyncStream<IndexUpdate>.makeStream(
            bufferingPolicy: .bufferingNewest(1_000))
        let number = life.withLock { $0.add(observer) }
        observer.onTermination = { [weak self] _ in
            self?.life.withLock { $0.removeObserver(number) }
        }
        return stream
    }

    // MARK: Beginning anew

    /// Reads all objects again and removes those that the database no longer has. Searches go on
    /// meanwhile.
    ///
    /// - Throws: As ``catchUp()`` does.
    public func reindexAll() async throws {
        let signal = signal
        _ = try await work.run { try await self.catchUpNow(signal, isAnew: true) }
    }

    /// Reads some objects again and removes those that the database no longer has.
    ///
    /// - Parameter identifiers: the identifiers of the objects.
    /// - Throws: What the source throws; ``TextIndexError``.
    public func reindex(_ identifiers: [Data]) async throws {
        try await work.run {
            try await self.put(identifiers)
            try await self.publish()
        }
    }

    /// Empties the index and forgets its position. A running follower reads everything again at
    /// once, another one when it next catches up.
    ///
    /// - Throws: ``TextIndexError``: `.closed`, `.diskFull`, `.io`.
    public func reset() async throws {
        life.withLock { $0.isUnpublished = true }
        try await work.run { try await self.index.removeAll() }
        life.withLock { $0.loop }?.wake()
    }
}
