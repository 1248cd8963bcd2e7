import Foundation
import TextSearch

/// Finds objects that are in several shards: a search finds them in each.
///
/// Complexity: eight bytes of memory for each object, and sorting these.
struct SharedIdentifiers {
    /// The first bits of the hashes of all identifiers, over all shards.
    private var marks: [UInt64] = []

    /// Takes in the identifiers of a shard.
    mutating func add(_ folder: IndexFolder) throws {
        try folder.index.forEachIdentifier { identifier in
            marks.append(Self.mark(identifier))
            return true
        }
    }

    /// The marks that several identifiers have: those of one object in several shards, and those
    /// that are equal by accident.
    consuming func shared() -> Set<UInt64> {
        marks.sort()
        return Set(zip(marks, marks.dropFirst()).lazy.filter { $0 == $1 }.map(\.0))
    }

    static func mark(_ identifier: Data) -> UInt64 {
        SHA256.digest(of: identifier).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Which shards have each of some objects.
    struct Places {
        private let marks: Set<UInt64>
        private var places: [Data: [String]] = [:]

        init(of marks: Set<UInt64>) { self.marks = marks }

        /// Takes in the objects of a shard that have one of the marks.
        mutating func add(_ folder: IndexFolder, named name: String) throws {
            try folder.index.forEachIdentifier { identifier in
                if marks.contains(SharedIdentifiers.mark(identifier)) {
                    places[identifier, default: []].append(name)
                }
                return true
            }
        }

        /// What to say of those that are in several shards; nil where none is.
        var finding: String? {
            let shared = places.filter { $0.value.count > 1 }
            guard
                let first = shared.min(by: { $0.key.lexicographicallyPrecedes($1.key) })
            else { return nil }
            let name = String(decoding: first.key.prefix(200), as: UTF8.self)
            let objects = Format.count(shared.count, "object")
            return "\(objects) in several shards, and found in each: \(name) is in "
                + first.value.joined(separator: " and ")
        }
    }
}
