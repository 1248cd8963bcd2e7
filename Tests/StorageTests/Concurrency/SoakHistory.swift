import Foundation

@testable import TestSupport
@testable import TextSearch

/// What became of each object while operations run: its versions in the order in which they were
/// submitted, and when each was begun and had finished, on a clock that counts events.
struct SoakHistory: Sendable {
    struct Version: Sendable {
        /// Nil for a removal.
        var object: TestObject?
        var begin: Int
        var end: Int?
    }

    private(set) var clock = 0
    private var versions: [Int: [Version]] = [:]

    /// Takes down that an operation is about to be submitted, and gives the time.
    mutating func begin(_ id: Int, _ object: TestObject?) -> Int {
        clock += 1
        versions[id, default: []].append(Version(object: object, begin: clock))
        return clock
    }

    /// Takes down that the operation that was begun at that time has finished.
    mutating func end(_ id: Int, _ begin: Int) {
        clock += 1
        // Who waits for operations may hear of their end before their completion blocks do: see
        // `settle`.
        guard let place = versions[id]?.lastIndex(where: { $0.begin == begin && $0.end == nil })
        else { return }
        versions[id]?[place].end = clock
    }

    /// What a search that ran between two times may have seen of each object: nil for nothing.
    ///
    /// - Complexity: linear in the versions since the last call of `settle`.
    func candidates(from start: Int, to end: Int) -> [Int: [TestObject?]] {
        versions.mapValues { versions in
            let first = versions.lastIndex { ($0.end ?? .max) <= start }
            let possible = versions[(first ?? 0)...].filter { $0.begin <= end }.map(\.object)
            return (first == nil ? [nil] : []) + possible
        }
    }

    /// Forgets all but the last version of each object; all operations have finished.
    mutating func settle() {
        versions = versions.mapValues { versions in
            versions.suffix(1).map { Version(object: $0.object, begin: $0.begin, end: clock) }
        }
    }

    /// The objects that there are when nothing is running.
    var objects: [TestObject] {
        versions.values.compactMap { $0.last?.object }.sorted { $0.id < $1.id }
    }
}
