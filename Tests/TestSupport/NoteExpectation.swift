import Foundation

@testable import TextSearch

/// What is known to be in an index of notes after operations that may have failed, and what may be
/// there instead.
struct NoteExpectation {
    var certain: [Int: Int] = [:]
    var possible: [Int: Set<Int>] = [:]

    /// Notes how an operation on `id` went; version 0 is a removal.
    mutating func note(_ id: Int, _ version: Int, _ operation: IndexingOperation) {
        operation.waitUntilFinished()
        note(id, version, isDone: operation.error == nil)
    }

    /// Notes whether `id` was given a version.
    mutating func note(_ id: Int, _ version: Int, isDone: Bool) {
        if isDone {
            certain[id] = version
            possible[id] = nil
        } else {
            possible[id, default: []].insert(version)
        }
    }

    func allows(_ found: Int, for id: Int) -> Bool {
        found == certain[id, default: 0] || possible[id, default: []].contains(found)
    }
}
