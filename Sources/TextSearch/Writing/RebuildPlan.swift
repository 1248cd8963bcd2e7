import Foundation

/// What a rebuild has still to do, as of one snapshot.
///
/// Nothing of it is stored: an object is done when its newest rebuilt document has a higher number
/// than the document that searches see. All other rebuilt documents are superseded, and stay so,
/// since numbers only grow.
struct RebuildPlan {
    private let store: IndexStore
    private let rebuilt: RebuiltSegments
    /// Documents whose objects are not to be tried again.
    private let skipped: Set<UInt32>
    private var snapshot: Snapshot
    private var open: Set<UInt32> = []
    private var stale: Set<UInt32> = []

    /// Complexity: linear in the identifiers.
    init(
        _ store: IndexStore, _ rebuilt: RebuiltSegments, skipping skipped: Set<UInt32>,
        as snapshot: Snapshot
    ) throws {
        self.store = store
        self.rebuilt = rebuilt
        self.skipped = skipped
        self.snapshot = snapshot
        try examineAll()
    }

    var count: Int { open.count }
    /// Visible documents whose objects are to be indexed again, in their order.
    var documents: [UInt32] { open.sorted() }
    /// Rebuilt documents that no search must see.
    var superseded: [UInt32] { stale.sorted() }

    /// Brings the plan to a later snapshot.
    ///
    /// Complexity: linear in the documents, a few instructions each, and in what was changed since,
    /// a seek each.
    mutating func extend(to later: Snapshot) throws {
        // Holds the records of what died meanwhile.
        let earlier = snapshot
        defer { withExtendedLifetime(earlier) {} }
        var changed: [UInt32] = []
        earlier.forEachDocument {
            if !later.isLive($0) { changed.append($0) }
            return true
        }
        later.forEachDocument {
            if !earlier.isLive($0) { changed.append($0) }
            return true
        }
        snapshot = later
        guard !changed.isEmpty else { return }
        open = open.filter(later.isLive)
        let cursor = try store.makeCursor(fillCache: false)
        var reader = RecordReader(store: store)
        for document in changed {
            examine(try Self.documents(of: reader.head(of: document).identifier, cursor))
        }
    }

    private mutating func examineAll() throws {
        var identifier: [UInt8] = []
        var documents: [UInt32] = []
        try store.makeCursor(fillCache: false).forEach(in: .identifiers) { key, _ in
            let document = try Key.lastNumber(key)
            let prefix = key.dropLast(4)
            if !prefix.elementsEqual(identifier) {
                examine(documents)
                identifier = Array(prefix)
                documents.removeAll(keepingCapacity: true)
            }
            documents.append(document)
            return true
        }
        examine(documents)
    }

    private static func documents(of identifier: Data, _ cursor: StoreCursor) throws -> [UInt32] {
        var key = Buffer<UInt8>()
        Array(identifier).withUnsafeBufferPointer { Key.identifier($0, into: &key) }
        var documents: [UInt32] = []
        let length = key.count
        try cursor.seek(to: key)
        while try cursor.isOn(prefix: key) {
            documents.append(
                try cursor.withEntry { key, _ in
                    guard key.count == length + 4 else { throw MalformedData() }
                    return try Key.lastNumber(key)
                })
            try cursor.next()
        }
        try cursor.check()
        return documents
    }

    /// Takes in all documents that an identifier ever had, ascending.
    private mutating func examine(_ documents: [UInt32]) {
        let visible = documents.last(where: snapshot.isLive)
        var again = documents.filter(rebuilt.contains)
        if let visible {
            if let newest = again.last, newest > visible {
                again.removeLast()
            } else if !skipped.contains(visible) {
                open.insert(visible)
            }
        }
        stale.formUnion(again)
    }
}
