import Foundation
import LevelDB

/// What LevelDB reaches on its own, to set indexing beside.
enum StorageCeiling {
    /// Writes `count` sorted entries of 50 bytes into a new database in the temporary directory;
    /// the bytes written.
    static func write(count: Int) throws -> Int {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("textsearch-ceiling-\(UUID().uuidString)").path
        let database = try Database(at: path, mode: .create)
        let batch = WriteBatch()
        let value = [UInt8](repeating: 0x61, count: 40)
        for number in 0..<count {
            Array(String(number + 1_000_000_000).utf8).withUnsafeBytes { key in
                value.withUnsafeBytes { batch.put(key, $0) }
            }
            if batch.byteCount >= 256 << 10 {
                try database.write(batch, sync: false)
                batch.clear()
            }
        }
        try database.write(batch, sync: false)
        try database.close()
        try Database.destroy(at: path)
        return count * 50
    }
}
