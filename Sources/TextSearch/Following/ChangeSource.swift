public import Foundation

/// A database whose changes an index follows; see ``IndexFollower``.
///
/// Reading the same changes twice is harmless. A change names an object, not what happened to it,
/// and each object is read as it is now. So a source need not remember what it returned, and may
/// return an object newer than the position.
///
/// **Thread safety**: every method may be called from any thread, and blocks it while the database
/// answers. The follower calls them on a thread of its own, but for ``onChange(_:)`` and what
/// ``IndexFollower/start()`` and ``IndexFollower/status`` ask.
public protocol ChangeSource<Object>: Sendable {
    /// The type of the objects in the database and the index.
    associatedtype Object

    /// Identifies this database, also against another one that replaced it: 1 to 1,024 bytes in
    /// UTF-8.
    var storeIdentifier: String { get throws }

    /// Starts keeping history if it has not begun, and returns its present end.
    ///
    /// ``changes(after:limit:)`` of this position contains everything committed after this call.
    ///
    /// - Returns: The position after the last change.
    /// - Throws: What the database throws.
    func currentPosition() throws -> SourcePosition

    /// Returns what changed after a position, oldest first: each object once or more, as it is now,
    /// or gone.
    ///
    /// - Parameters:
    ///   - position: where to begin.
    ///   - limit: about how much to read.
    /// - Returns: The changes, and the position after them.
    /// - Throws: ``TextIndexError`` with `.historyLost` if the position does not belong to the
    ///   history: it was released, or the database is an older copy or another one. What the
    ///   database throws.
    func changes(
        after position: SourcePosition, limit: SliceLimit
    ) throws -> ChangeSlice<Object>

    /// Returns what changed after a position, and checks in the same read that this is still the
    /// database that the position belongs to. The default asks for ``storeIdentifier`` first, in a
    /// read of its own.
    ///
    /// - Parameters:
    ///   - store: the ``storeIdentifier`` that the position was taken under.
    ///   - position: where to begin.
    ///   - limit: about how much to read.
    /// - Returns: As ``changes(after:limit:)`` does; nil where the database is another one.
    /// - Throws: As ``changes(after:limit:)`` does.
    func changes(
        of store: String, after position: SourcePosition, limit: SliceLimit
    ) throws -> ChangeSlice<Object>?

    /// Returns objects in a fixed order of their identifiers. Any order will do.
    ///
    /// - Parameters:
    ///   - identifier: the identifier to begin after; nil begins at the first. Its object may be
    ///     gone by now.
    ///   - limit: about how much to read.
    /// - Returns: The objects, and where to continue.
    /// - Throws: What the database throws.
    func objects(after identifier: Data?, limit: SliceLimit) throws -> ObjectSlice<Object>

    /// Returns objects by their identifiers.
    ///
    /// - Parameter identifiers: any, also of objects that are gone.
    /// - Returns: One entry for each identifier, in any order, without an object if there is none.
    /// - Throws: What the database throws.
    func objects(withIdentifiers identifiers: [Data]) throws -> [SourceObject<Object>]

    /// Tells the source that this index no longer needs history up to a position. The default does
    /// nothing.
    ///
    /// The position itself must stay known, since the next ``changes(after:limit:)`` begins there.
    /// A position outside of the history, as after an older copy was restored, is ignored.
    ///
    /// - Parameter position: the position that the index has synced, so that no power cut undoes
    ///   it.
    /// - Throws: What the database throws.
    func release(through position: SourcePosition) throws

    /// Calls a function after commits that the source notices; it may miss some. The default never
    /// calls it.
    ///
    /// - Parameter body: called on any thread; it returns at once.
    /// - Returns: An observation that ends the calls.
    func onChange(_ body: @escaping @Sendable () -> Void) -> ChangeObservation
}

extension ChangeSource {
    /// Compares the identifiers, and reads what changed where they are the same.
    public func changes(
        of store: String, after position: SourcePosition, limit: SliceLimit
    ) throws -> ChangeSlice<Object>? {
        guard try storeIdentifier == store else { return nil }
        return try changes(after: position, limit: limit)
    }

    /// Does nothing: the source keeps its history, or trims it by other means.
    public func release(through position: SourcePosition) throws {}

    /// Never calls the function: the follower polls.
    public func onChange(_ body: @escaping @Sendable () -> Void) -> ChangeObservation {
        ChangeObservation {}
    }
}

/// A position in the history of a database. Equal positions are the same; a greater ``ordinal`` is
/// a later one.
public struct SourcePosition: Sendable, Hashable {
    /// The maximum length of a token, in bytes.
    public static let largestToken = 1_024

    /// Increases along the history: a sequence number, or the number of a transaction.
    public var ordinal: UInt64
    /// What the source needs to recognise the position, at most 1,024 bytes. Only the source reads
    /// it.
    public var token: Data

    /// Creates a position in the history of a database.
    ///
    /// - Parameters:
    ///   - ordinal: a number that increases along the history.
    ///   - token: what the source needs to recognise the position.
    public init(ordinal: UInt64, token: Data = Data()) {
        self.ordinal = ordinal
        self.token = token
    }
}

/// About how much of a database to read at once. Each slice is a short read of its own, so it does
/// not hold up others for long.
public struct SliceLimit: Sendable, Hashable {
    /// The maximum number of changes or objects; 4,000 by default. Values below 1 count as 1.
    public var count: Int { didSet { count = max(count, 1) } }
    /// The size in bytes at which a slice ends, with the object that reaches it; 4 MB by default.
    /// Values below 1 count as 1.
    public var byteCount: Int { didSet { byteCount = max(byteCount, 1) } }

    /// Creates a limit of a count and a size, whichever is reached first.
    ///
    /// - Parameters:
    ///   - count: the maximum number of changes or objects.
    ///   - byteCount: the size in bytes at which a slice ends.
    public init(count: Int = 4_000, byteCount: Int = 4 << 20) {
        self.count = max(count, 1)
        self.byteCount = max(byteCount, 1)
    }
}

/// An object as a database has it now.
public struct SourceObject<Object> {
    /// The identifier by which the index knows the object.
    public var identifier: Data
    /// The object; nil if it is gone.
    public var object: Object?

    /// Creates an object under its identifier, or the mark of one that is gone.
    ///
    /// - Parameters:
    ///   - identifier: the object's identifier, 1 to 4,096 bytes.
    ///   - object: the object; nil when it is gone.
    @inlinable  // Sources make one for each object: what is generic would be looked up each time.
    public init(_ identifier: Data, _ object: Object?) {
        self.identifier = identifier
        self.object = object
    }
}

extension SourceObject: Sendable where Object: Sendable {}

/// Changes of a database that were read at once.
public struct ChangeSlice<Object> {
    /// The changed objects, the oldest change first.
    public var changes: [SourceObject<Object>]
    /// The position after the changes, where the next slice begins.
    public var position: SourcePosition
    /// Whether there were no more changes when they were read.
    public var isLast: Bool
    /// How many changes were left out, since they have no valid identifier or their objects cannot
    /// be read.
    public var skippedCount: Int

    /// Creates a slice of changes.
    ///
    /// - Parameters:
    ///   - changes: the changed objects, the oldest change first.
    ///   - position: the position after the changes.
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

/// Objects of a database that were read at once.
public struct ObjectSlice<Object> {
    /// The objects, in the order of the source.
    public var objects: [SourceObject<Object>]
    /// Where to continue: the identifier of the last object that was read, or another mark that the
    /// source continues after; nil after the last object. At most 4,096 bytes.
    public var next: Data?
    /// How many objects were left out, since they have no valid identifier or cannot be read.
    public var skippedCount: Int

    /// Creates a slice of objects.
    ///
    /// - Parameters:
    ///   - objects: the objects.
    ///   - next: the identifier to continue after; nil after the last object.
    ///   - skippedCount: objects that are left out.
    public init(_ objects: [SourceObject<Object>], next: Data?, skippedCount: Int = 0) {
        self.objects = objects
        self.next = next
        self.skippedCount = skippedCount
    }
}

extension ObjectSlice: Sendable where Object: Sendable {}

/// Calls of a function after commits. They continue until it is cancelled or released.
///
/// **Thread safety**: may be used from any thread.
public final class ChangeObservation: Sendable {
    private let onCancel: @Sendable () -> Void

    /// Creates an observation that ends by a closure.
    ///
    /// - Parameter onCancel: ends the calls; it may be called more than once.
    public init(onCancel: @escaping @Sendable () -> Void) { self.onCancel = onCancel }

    deinit { onCancel() }

    /// Ends the calls. One that has begun still finishes.
    public func cancel() { onCancel() }
}
