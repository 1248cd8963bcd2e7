import Foundation
import LevelDB
import Testing

@testable import TestSupport
@testable import TextSearch

/// Indexes of a format that this version does not know are refused, and no byte of them is changed.
@Suite("Other formats")
struct OtherFormatTests {
    enum State: CaseIterable, Sendable {
        case closed
        /// The end of its log would be cut off as it is opened.
        case torn
        /// It would be opened in another way where the disk is full.
        case reserved
        /// It has what only an index of that format may say.
        case damaged
    }

    private static func options(_ format: UInt32) -> DatabaseOptions {
        var options = DatabaseOptions()
        options.format = format
        return options
    }

    /// Files of a database of another format, whose entries nobody here can read.
    private func makeIndex(_ format: UInt32, _ state: State, at directory: URL) throws {
        var options = Self.options(format)
        if state == .reserved { options.reserveSize = 1 << 20 }
        let database = try Database(at: directory.path, mode: .create, options: options)
        let batch = WriteBatch()
        for number in 0..<UInt8(200) {
            [number].withUnsafeBytes { key in
                Array("entry \(number)".utf8).withUnsafeBytes { batch.put(key, $0) }
            }
        }
        try database.write(batch, sync: true)
        try database.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        let log = directory.appendingPathComponent(
            try #require(names.filter { $0.hasSuffix(".log") }.max()))
        if state == .torn {
            let handle = try FileHandle(forWritingTo: log)
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(count: 3000))
            try handle.close()
        }
        if state == .damaged { try FileManager.default.removeItem(at: log) }
    }

    private func attempts(at directory: URL, beside folder: TemporaryFolder) -> [() throws -> Void]
    {
        var reading = TextIndexConfiguration()
        reading.isReadOnly = true
        var rebuilding = TextIndexConfiguration()
        rebuilding.reopensForRebuild = true
        return [TextIndexConfiguration(), reading, rebuilding].map { configuration in
            { try TextIndex<WorkNote>(at: directory, configuration: configuration).close() }
        } + [
            { try TextIndex<WorkNote>.repair(at: directory) },
            { try TextIndex<WorkNote>.purge(at: directory) },
            { try TextIndex<WorkNote>.restore(from: directory, to: folder("restored")) },
        ]
    }

    @Test("An index of another format is refused, and does not change", arguments: State.allCases)
    func refused(state: State) throws {
        let folder = try TemporaryFolder("format")
        let other = Manifest.databaseFormat
        for format in [other + 1, other - 1, other + 97, 0] {
            let directory = folder("\(format)")
            try makeIndex(format, state, at: directory)
            let before = try DirectoryContents(of: directory)
            let entries = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            for attempt in attempts(at: directory, beside: folder) {
                let error = expectError(.unsupportedFormat) { try attempt() }
                #expect(format == 0 || error?.message.contains("format \(format)") == true)
                #expect(try DirectoryContents(of: directory) == before)
            }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
                    == entries.sorted())
        }
    }

    @Test("An opening changes files of an index of the same format")
    func control() throws {
        let folder = try TemporaryFolder("format")
        try makeIndex(7, .torn, at: folder("index"))
        let before = try DirectoryContents(of: folder("index"))
        let database = try Database(
            at: folder("index").path, mode: .open, options: Self.options(7))
        #expect(database.discarded.count == 1)
        try database.close()
        #expect(try DirectoryContents(of: folder("index")) != before)
    }
}
