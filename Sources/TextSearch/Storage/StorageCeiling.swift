import Foundation

/// What the store reaches on its own, for the benchmark to set indexing beside.
package enum StorageCeiling {
    /// Writes `count` sorted entries of 50 bytes into a new store in the temporary directory; the bytes written.
    package static func write(count: Int) throws -> Int {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("textsearch-ceiling-\(UUID().uuidString)")
        let store = try IndexStore(at: directory, configuration: TextIndexConfiguration())
        let batch = StoreBatch()
        let value = [UInt8](repeating: 0x61, count: 40)
        var key = Buffer<UInt8>()
        for number in 0..<count {
            Key.part(.vocabulary, segment: 0, part: UInt32(number), into: &key)
            value.withUnsafeBytes { batch.put(key, $0) }
            if batch.byteCount >= SegmentWriter.batchSize { try store.commit(batch, sync: false) }
        }
        try store.commit(batch, sync: false)
        try store.close()
        try IndexStore.destroy(at: directory)
        return count * 50
    }
}
