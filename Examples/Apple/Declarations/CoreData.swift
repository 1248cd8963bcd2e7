// Declarations of what CoreDataSource.swift uses of Core Data, written down from Apple's documentation, for systems without it. They do nothing.
// `Scripts/check-apple` checks the adapter against them; it says nothing of how Core Data behaves.
public import Foundation

extension Notification.Name {
    public static let NSPersistentStoreRemoteChange = Notification.Name("NSPersistentStoreRemoteChange")
}

public let NSPersistentHistoryTokenExpiredError = 134_301
public let NSManagedObjectReferentialIntegrityError = 133_000

open class NSPersistentStoreRequest: NSObject {}
open class NSPersistentStoreResult: NSObject {}
public protocol NSFetchRequestResult: NSObjectProtocol {}

open class NSManagedObjectID: NSObject, NSFetchRequestResult {
    open func uriRepresentation() -> URL { fatalError("a declaration") }
    open var entity: NSEntityDescription { fatalError("a declaration") }
}

open class NSEntityDescription: NSObject {
    open var name: String?
}

open class NSManagedObject: NSObject, NSFetchRequestResult {
    open var objectID: NSManagedObjectID { fatalError("a declaration") }
    open var isDeleted: Bool { fatalError("a declaration") }
}

open class NSFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest {
    public convenience init(entityName: String) { self.init() }
    open var fetchLimit: Int = 0
    open var fetchOffset: Int = 0
    open var sortDescriptors: [NSSortDescriptor]?
    open var predicate: NSPredicate?
}

open class NSPersistentStore: NSObject {
    open var identifier: String! { fatalError("a declaration") }
}

open class NSPersistentStoreCoordinator: NSObject {
    open var persistentStores: [NSPersistentStore] { fatalError("a declaration") }
    open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        fatalError("a declaration")
    }
    open func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
        fatalError("a declaration")
    }
}

open class NSManagedObjectContext: NSObject {
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator?
    open func performAndWait<T>(_ block: () throws -> T) rethrows -> T { fatalError("a declaration") }
    open func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] {
        fatalError("a declaration")
    }
    open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        fatalError("a declaration")
    }
    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        fatalError("a declaration")
    }
    open func reset() { fatalError("a declaration") }
}

open class NSPersistentContainer: NSObject {
    open func newBackgroundContext() -> NSManagedObjectContext { fatalError("a declaration") }
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator { fatalError("a declaration") }
}

open class NSPersistentHistoryToken: NSObject, NSSecureCoding {
    public static var supportsSecureCoding: Bool { true }
    public required init?(coder: NSCoder) { fatalError("a declaration") }
    open func encode(with coder: NSCoder) { fatalError("a declaration") }
}

open class NSPersistentHistoryTransaction: NSObject {
    open var transactionNumber: Int64 { fatalError("a declaration") }
    open var token: NSPersistentHistoryToken { fatalError("a declaration") }
    open var changes: [NSPersistentHistoryChange]? { fatalError("a declaration") }
}

open class NSPersistentHistoryChange: NSObject {
    open var changedObjectID: NSManagedObjectID { fatalError("a declaration") }
}

open class NSPersistentHistoryResult: NSPersistentStoreResult {
    open var result: Any? { fatalError("a declaration") }
}

public enum NSPersistentHistoryResultType: Sendable {
    case transactionsAndChanges
    case transactionsOnly
}

open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    open var resultType: NSPersistentHistoryResultType = .transactionsAndChanges
    open class func fetchHistory(after token: NSPersistentHistoryToken?) -> Self {
        fatalError("a declaration")
    }
    open class func deleteHistory(before token: NSPersistentHistoryToken?) -> Self {
        fatalError("a declaration")
    }
}
