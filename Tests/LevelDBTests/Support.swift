import Foundation
import LevelDB
import Testing

/// A directory that is there for one test.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/leveldb-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A path within it.
    func path(_ name: String) -> String { path + "/" + name }

    /// The names in a directory within it, sorted.
    func names(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: self.path(name)).sorted()
    }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

extension Database {
    /// Writes one entry.
    func put(_ key: String, _ value: String, sync: Bool = false) throws {
        let batch = WriteBatch()
        batch.put(bytes(key), bytes(value))
        try write(batch, sync: sync)
    }

    func text(_ key: String) throws -> String? {
        try value(forKey: bytes(key)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// All entries.
    func contents(reversed: Bool = false) throws -> [[[UInt8]]] {
        var found: [[[UInt8]]] = []
        try forEachEntry(withPrefix: [], reversed: reversed) { key, value in
            found.append([Array(key), Array(value)])
            return .next
        }
        return found
    }
}

/// Expects an error of that kind.
func expect(
    _ code: LevelDBError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) {
    let error = #expect(throws: LevelDBError.self, sourceLocation: sourceLocation) { try body() }
    if let error { #expect(error.code == code, "\(error)", sourceLocation: sourceLocation) }
}

/// Runs `body` on that many threads at once, and waits for all of them.
///
/// Dispatch would run no more of them at a time than there are cores, and a test in which one waits
/// for another would wait for ever.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let group = DispatchGroup()
    for index in 0..<count {
        group.enter()
        Thread.detachNewThread {
            body(index)
            group.leave()
        }
    }
    group.wait()
}

/// A value that threads share.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<R>(_ body: (inout Value) throws -> R) rethrows -> R {
        try lock.withLock { try body(&value) }
    }
}
