import Foundation

/// What can be had of an index that does not open: the identifiers of its objects, and of some that it has no more.
///
/// Which of several versions of a document is the last, and which documents were removed, is only said by what was lost.
enum Wreck {
    /// The identifiers in all tables and logs that can be read. Nothing is changed.
    static func identifiers(in directory: URL) throws -> Set<Data> {
        var identifiers: Set<Data> = []
        try IndexStore.forEachReadableEntry(at: directory) { key, value in
            guard let tag = key.first else { return }
            if tag == Table.identifiers.rawValue {
                guard let identifier = Key.identifier(key) else { return }
                identifiers.insert(Data(identifier))
            } else if tag == Table.objects.rawValue, key.count == 5,
                let content = try? Seal.content(key, value),
                let identifier = try? ObjectRecord.identifier(content)
            {
                identifiers.insert(Data(identifier))
            } else if key.elementsEqual(LostObjects.key) {
                identifiers.formUnion((try? LostObjects.decode(value)) ?? [])
            }
        }
        return identifiers
    }
}
