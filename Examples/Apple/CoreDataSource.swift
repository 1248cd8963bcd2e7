// Checked against declarations, never run.
//
// An adapter from Core Data's persistent history to `ChangeSource`, for an application to copy. `Scripts/check-apple` has the compiler check it against the
// declarations beside it; nobody has run it. Set `NSPersistentHistoryTrackingKey` and `NSPersistentStoreRemoteChangeNotificationPostOptionKey` of
// the store. `MemorySource` of the tests behaves as persistent history is documented to, and has been run.
import CoreData
import Foundation
import TextSearch

/// The objects of an entity, as a source of changes.
final class CoreDataSource<Object: Sendable>: ChangeSource, @unchecked Sendable {
    // Unchecked: the context is used within performAndWait only, and the rest never changes.
    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    private let entity: String
    private let make: @Sendable (NSManagedObject) throws -> Object?

    /// `make` says what of an object is indexed; it is called on the context's queue.
    init(
        _ container: NSPersistentContainer, entity: String,
        make: @escaping @Sendable (NSManagedObject) throws -> Object?
    ) {
        context = container.newBackgroundContext()
        coordinator = container.persistentStoreCoordinator
        self.entity = entity
        self.make = make
    }

    var storeIdentifier: String {
        get throws {
            guard let store = coordinator.persistentStores.first, let identifier = store.identifier
            else { throw TextIndexError(.io, "No store is loaded.") }
            return "\(identifier) \(entity)"
        }
    }

    // MARK: History

    private static func position(_ number: Int64, _ token: NSPersistentHistoryToken) throws
        -> SourcePosition
    {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: token, requiringSecureCoding: true)
        return SourcePosition(ordinal: UInt64(max(number, 0)), token: data)
    }

    private static func token(_ position: SourcePosition) throws -> NSPersistentHistoryToken {
        let token = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: NSPersistentHistoryToken.self, from: position.token)
        guard let token else { throw TextIndexError(.historyLost, "The token cannot be read.") }
        return token
    }

    private func transactions(
        after token: NSPersistentHistoryToken?, _ type: NSPersistentHistoryResultType
    ) throws -> [NSPersistentHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        request.resultType = type
        do {
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return result?.result as? [NSPersistentHistoryTransaction] ?? []
        } catch let error as NSError where error.code == NSPersistentHistoryTokenExpiredError {
            throw TextIndexError(.historyLost, "The history token has expired.", underlying: error)
        }
    }

    func currentPosition() throws -> SourcePosition {
        try context.performAndWait {
            let all = try transactions(after: nil, .transactionsOnly)
            if let last = all.last { return try Self.position(last.transactionNumber, last.token) }
            guard let token = coordinator.currentPersistentHistoryToken(fromStores: nil) else {
                throw TextIndexError(.io, "Persistent history is not tracked.")
            }
            return try Self.position(0, token)
        }
    }

    func changes(after position: SourcePosition, limit: SliceLimit) throws -> ChangeSlice<Object> {
        try context.performAndWait {
            defer { context.reset() }
            var slice = Slice()
            var end = position
            for transaction in try transactions(
                after: Self.token(position), .transactionsAndChanges)
            {
                // A transaction is taken whole: there is no position within it.
                if slice.objects.count >= limit.count {
                    return ChangeSlice(slice.objects, position: end, isLast: false, skippedCount: slice.skippedCount)
                }
                for change in transaction.changes ?? []
                where change.changedObjectID.entity.name == entity {
                    try add(change.changedObjectID, to: &slice)
                }
                end = try Self.position(transaction.transactionNumber, transaction.token)
            }
            return ChangeSlice(slice.objects, position: end, isLast: true, skippedCount: slice.skippedCount)
        }
    }

    func release(through position: SourcePosition) throws {
        // What comes before the token goes; the transaction of the token stays.
        let token = try Self.token(position)
        _ = try context.performAndWait {
            try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: token))
        }
    }

    func onChange(_ body: @escaping @Sendable () -> Void) -> ChangeObservation {
        let observer = Observer(
            NotificationCenter.default.addObserver(
                forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
            ) { _ in body() })
        return ChangeObservation { observer.remove() }
    }

    private final class Observer: @unchecked Sendable {
        // Unchecked: the centre may be used from any thread.
        private let token: any NSObjectProtocol
        init(_ token: any NSObjectProtocol) { self.token = token }
        func remove() { NotificationCenter.default.removeObserver(token) }
    }

    // MARK: Objects

    private static func identifier(_ id: NSManagedObjectID) -> Data {
        Data(id.uriRepresentation().absoluteString.utf8)
    }

    /// Objects that were read at once.
    private struct Slice {
        var objects: [SourceObject<Object>] = []
        var skippedCount = 0
    }

    /// Adds an object; one that nothing can be made of leaves the index, and the others do not wait for it.
    private func add(_ object: NSManagedObject, _ identifier: Data, to slice: inout Slice) {
        do {
            slice.objects.append(SourceObject(identifier, try make(object)))
        } catch {
            slice.objects.append(SourceObject(identifier, nil))
            slice.skippedCount += 1
        }
    }

    /// Adds an object as it is now, or that it is gone. What else fails is tried again: the object may be there.
    private func add(_ id: NSManagedObjectID, to slice: inout Slice) throws {
        let identifier = Self.identifier(id)
        do {
            let object = try context.existingObject(with: id)
            guard !object.isDeleted else { return slice.objects.append(SourceObject(identifier, nil)) }
            add(object, identifier, to: &slice)
        } catch let error as NSError where error.code == NSManagedObjectReferentialIntegrityError {
            slice.objects.append(SourceObject(identifier, nil))
        }
    }

    /// In the order of their identifiers, all of which are fetched for each slice.
    func objects(after identifier: Data?, limit: SliceLimit) throws -> ObjectSlice<Object> {
        try context.performAndWait {
            defer { context.reset() }
            let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
                .map { (Self.identifier($0.objectID), $0) }
                .sorted { $0.0.lexicographicallyPrecedes($1.0) }
                .drop { entry in identifier.map { !$0.lexicographicallyPrecedes(entry.0) } ?? false
                }
            let some = all.prefix(limit.count)
            var slice = Slice()
            for (identifier, object) in some { add(object, identifier, to: &slice) }
            return ObjectSlice(
                slice.objects, next: all.count > some.count ? some.last?.0 : nil, skippedCount: slice.skippedCount)
        }
    }

    func objects(withIdentifiers identifiers: [Data]) throws -> [SourceObject<Object>] {
        try context.performAndWait {
            defer { context.reset() }
            var slice = Slice()
            for identifier in identifiers {
                guard let url = URL(string: String(decoding: identifier, as: UTF8.self)),
                    let id = coordinator.managedObjectID(forURIRepresentation: url)
                else {
                    slice.objects.append(SourceObject(identifier, nil))
                    continue
                }
                try add(id, to: &slice)
            }
            return slice.objects
        }
    }
}

/// How an application follows its notes.
struct CoreDataNote: Sendable {
    var title: String
    var body: String
}

func followNotes(
    of container: NSPersistentContainer, in directory: URL,
    make: @escaping @Sendable (NSManagedObject) throws -> CoreDataNote?
) throws -> IndexFollower<CoreDataSource<CoreDataNote>> {
    let index = try TextIndex<CoreDataNote>(at: directory)
    index.indexer = { note, _ in IndexedObject(strings: [note.title, note.body]) }
    let follower = try IndexFollower(
        index, following: CoreDataSource(container, entity: "Note", make: make))
    try follower.start()
    return follower
}
