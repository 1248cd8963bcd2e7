public import Foundation

/// A database whose changes an index follows; see ``IndexFollower``.
///
/// Reading the same changes twice is harmless: a change says which object, not what happened to it, and each object is read as it is now.
/// So a source need not remember what it gave out, and may give an object newer than the position says.
///
/// **Thread safety**: every method may be called from any thread. Methods block their thread while the database answers; the
/// follower never calls them on a thread of the caller's, but for ``onChange(_:)``.
public protocol ChangeSource<Object>: Sendable {
    /// What the database holds and the index indexes.
    associatedtype Object

    /// Tells this database from others, also from another one that took its place: 1 to 1,024 bytes in UTF-8.
    var storeIdentifier: String { get throws }

    /// Starts keeping history if that has not begun, and says where it ends now.
    ///
    /// Whatever is committed after this call is in ``changes(after:limit:)`` of the position.
    ///
    /// - Returns: The position behind the last change.
    /// - Throws: What the database throws.
    func currentPosition() throws -> SourcePosition

    /// What changed after a position, oldest first: each object once or more, as it is now, or gone.
    ///
    /// - Parameters:
    ///   - position: where to begin.
    ///   - limit: about how much to read.
    /// - Returns: The changes, and the position behind them.
    /// - Throws: ``TextIndexError`` with `.historyLost` when the position is no part of the history: it was released, or the database is
    ///   an older copy or another one. What the database throws.
    func changes(
        after position: SourcePosition, limit: SliceLimit
    ) throws -> ChangeSlice<Object>

    /// Objects in a fixed order of their identifiers, any order.
    ///
    /// - Parameters:
    ///   - identifier: the one to begin after; nil begins at the first. It may be gone by now.
    ///   - limit: about how much to read.
    /// - Returns: The objects, and where to go on.
    /// - Throws: What the database throws.
    func objects(after identifier: Data?, limit: SliceLimit) throws -> ObjectSlice<Object>

    /// Objects by their identifiers.
    ///
    /// - Parameter identifiers: any, also of objects that are gone.
    /// - Returns: One entry for each identifier, in any order; without an object where there is none.
    /// - Throws: What the database throws.
    func objects(withIdentifiers identifiers: [Data]) throws -> [SourceObject<Object>]

    /// Says that history up to a position is no longer needed by this index. The default does nothing.
    ///
    /// The position itself must stay known: it is where the next ``changes(after:limit:)`` begins. One that is no part of the history, since an older
    /// copy of the database was put back, is passed over.
    ///
    /// - Parameter position: what the index has on the disk, so that no power cut takes it back.
    /// - Throws: What the database throws.
    func release(through position: SourcePosition) throws

    /// Has a function called after commits that the source sees; some may be missed. The default never calls it.
    ///
    /// - Parameter body: called on any thread; it returns at once.
    /// - Returns: What ends the calls.
    func onChange(_ body: @escaping @Sendable () -> Void) -> ChangeObservation
}

extension ChangeSource {
    /// Does nothing: the history is kept, or let go of by other means.
    public func release(through position: SourcePosition) throws {}

    /// Never calls the function: the follower polls.
    public func onChange(_ body: @escaping @Sendable () -> Void) -> ChangeObservation {
        ChangeObservation {}
    }
}

/// A place in the history of a database. Equal positions are the same place; a greater ``ordinal`` is a later one.
public struct SourcePosition: Sendable, Hashable {
    /// The most bytes of a token.
    public static let largestToken = 1_024

    /// Grows along the history: a sequence number or the number of a transaction.
    public var ordinal: UInt64
    /// What the source needs to recognise the place, at most 1,024 bytes; nobody else looks at it.
    public var token: Data

    /// Creates a position.
    ///
    /// - Parameters:
    ///   - ordinal: grows along the history.
    ///   - token: what the source needs to recognise the place.
    public init(ordinal: UInt64, token: Data = Data()) {
        self.ordinal = ordinal
        self.token = token
    }
}

/// About how much of a database is read at once: each slice is a short read of its own, so that no reader holds up others for long.
public struct SliceLimit: Sendable, Hashable {
    /// The most changes or objects; 4,000 unless set.
    public var count: Int
    /// A slice ends with the object that brings it to so many bytes; 4 MB unless set.
    public var byteCount: Int

    /// Creates a limit; less than one of anything counts as one.
    ///
    /// - Parameters:
    ///   - count: the most changes or objects.
    ///   - byteCount: about the most bytes.
    public init(count: Int = 4_000, byteCount: Int = 4 << 20) {
        self.count = max(count, 1)
        self.byteCount = max(byteCount, 1)
    }
}

/// An object as a database has it now.
public struct SourceObject<Object> {
    /// The object's identifier: what the index knows it by.
    public var identifier: Data
    /// The object; nil when it is gone.
    public var object: Object?

    /// Creates an entry.
    ///
    /// - Parameters:
    ///   - identifier: the object's identifier, 1 to 4,096 bytes.
    ///   - object: the object; nil when it is gone.
    public init(_ identifier: Data, _ object: Object?) {
        self.identifier = identifier
        self.object = object
    }
}

extension SourceObject: Sendable where Object: Sendable {}

/// Some changes of a database, read at once.
public struct ChangeSlice<Object> {
    /// What changed.
    public var changes: [SourceObject<Object>]
    /// The position behind them.
    public var position: SourcePosition
    /// Whether there were no more when they were read.
    public var isLast: Bool
    /// Changes that no identifier can be made of, or whose objects cannot be read.
    public var skippedCount: Int

    /// Creates a slice.
    ///
    /// - Parameters:
    ///   - changes: what changed.
    ///   - position: the position behind the changes.
    ///   - isLast: whether there are no more.
    ///   - skippedCount: changes that are left out, since no object can be made of them.
    public init(
        _ changes: [SourceObject<Object>], position: SourcePosition, isLast: Bool,
        skippedCount: Int = 0
    ) {
        self.changes = changes
        self.position = position
        self.isLast = isLast
        self.skippedCount = skippedCount
    }
}

extension ChangeSlice: Sendable where Object: Sendable {}

/// Some objects of a database, read at once.
public struct ObjectSlice<Object> {
    /// The objects.
    public var objects: [SourceObject<Object>]
    /// Where to go on: the identifier of the last object that was looked at; nil behind the last one.
    public var next: Data?
    /// Objects that no identifier can be made of, or that cannot be read.
    public var skippedCount: Int

    /// Creates a slice.
    ///
    /// - Parameters:
    ///   - objects: the objects.
    ///   - next: the identifier to go on after; nil behind the last object.
    ///   - skippedCount: objects that are left out.
    public init(_ objects: [SourceObject<Object>], next: Data?, skippedCount: Int = 0) {
        self.objects = objects
        self.next = next
        self.skippedCount = skippedCount
    }
}

extension ObjectSlice: Sendable where Object: Sendable {}

/// Calls of a function after commits; they go on until it is cancelled or nobody holds it any more.
///
/// **Thread safety**: may be used from any thread.
public final class ChangeObservation: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Creates an observation.
    ///
    /// - Parameter onCancel: ends the calls; it may be called more than once.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    deinit { onCancel() }

    /// Ends the calls, but for one that has begun.
    public func cancel() { onCancel() }
}
