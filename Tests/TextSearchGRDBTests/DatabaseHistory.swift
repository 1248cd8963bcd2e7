#if GRDB && (os(Linux) || os(macOS))
    import Foundation
    import GRDB
    import PowerCuts

    /// A database whose files are kept as they are after each step, and what a power cut between
    /// two steps could leave of them.
    ///
    /// What is modelled, of SQLite in WAL mode with `synchronous = NORMAL`:
    /// 1. The log is synced by a checkpoint alone, and its header when it begins anew. Of what was
    ///    written since, any frame may be on the disk or not: what is not is what was there before,
    ///    or nothing, zeros or noise. A frame may be torn.
    /// 2. A checkpoint syncs the log, then writes pages to the database, then syncs that: a cut
    ///    amid it leaves some pages, and the whole log.
    /// 3. The shared-memory file is lost; the next process makes it anew.
    ///
    /// Not modelled: a disk that lies about a sync, and names of files that are lost.
    struct DatabaseHistory {
        /// The files after a step.
        private struct Step {
            var database: [UInt8]
            var log: [UInt8]
            /// The log at its last sync before.
            var synced: [UInt8]
            /// Operations of the disk that the index lies on.
            var operations: UInt64
        }

        private var steps: [Step] = []
        let place: URL

        private static let header = 32
        private static let pageSize = 4096
        private static let frameSize = 24 + pageSize

        init(_ place: URL) { self.place = place }

        var count: Int { steps.count }

        func operations(_ number: Int) -> UInt64 { steps[number].operations }

        /// Keeps the files as they are now; nobody may write meanwhile.
        mutating func record(_ operations: UInt64) throws {
            let database = try [UInt8](Data(contentsOf: place))
            let log =
                (try? [UInt8](Data(contentsOf: URL(fileURLWithPath: place.path + "-wal")))) ?? []
            var synced: [UInt8] = []
            if let last = steps.last {
                let isCheckpoint = database != last.database
                let hasBegunAnew = log.prefix(Self.header) != last.log.prefix(Self.header)
                synced =
                    isCheckpoint
                    ? log
                    : hasBegunAnew
                        ? Array(log.prefix(Self.header)) + last.log.dropFirst(Self.header)
                        : last.synced
            }
            steps.append(
                Step(database: database, log: log, synced: synced, operations: operations))
        }

        /// Writes to a folder what a cut amid the step after `number` could leave.
        func writeImage(
            after number: Int, to folder: URL, _ generator: inout SeededGenerator
        ) throws {
            let (old, new) = (steps[number], steps[min(number + 1, steps.count - 1)])
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let isCheckpoint = old.database != new.database
            let database =
                isCheckpoint ? Self.mixed(old.database, new.database, &generator) : old.database
            let log =
                isCheckpoint ? old.log : Self.cut(new.log, synced: new.synced, &generator)
            let path = folder.appendingPathComponent("db.sqlite").path
            try Data(database).write(to: URL(fileURLWithPath: path))
            if !log.isEmpty { try Data(log).write(to: URL(fileURLWithPath: path + "-wal")) }
        }

        /// A file of which some pages are new already.
        private static func mixed(
            _ old: [UInt8], _ new: [UInt8], _ generator: inout SeededGenerator
        ) -> [UInt8] {
            var bytes = old
            for start in stride(from: 0, to: new.count, by: pageSize) {
                let end = min(start + pageSize, new.count)
                if bytes.count < end { bytes += Array(repeating: 0, count: end - bytes.count) }
                if generator.int(0...1) == 0 { bytes[start..<end] = new[start..<end] }
            }
            return bytes
        }

        private enum Lost: CaseIterable { case asBefore, nothing, zeros, noise, scattered }

        /// A log of which what was written since the last sync is there in part.
        private static func cut(
            _ log: [UInt8], synced: [UInt8], _ generator: inout SeededGenerator
        ) -> [UInt8] {
            // Where the first frame is that the sync did not see.
            var start = min(header, log.count)
            while start + frameSize <= min(log.count, synced.count),
                log[start..<(start + frameSize)] == synced[start..<(start + frameSize)]
            { start += frameSize }
            let frames = (log.count - start) / frameSize
            guard frames > 0 else { return log }
            var end = start + generator.int(0...frames) * frameSize
            let isTorn = end < log.count && generator.int(0...2) == 0
            if isTorn { end += generator.int(1...(frameSize - 1)) }
            func before(_ range: Range<Int>) -> [UInt8] {
                range.map { $0 < synced.count ? synced[$0] : 0 }
            }
            let rest = end..<log.count
            let first = Array(log[..<end])
            switch Lost.allCases[generator.int(0...(Lost.allCases.count - 1))] {
            case .asBefore: return first + (end < synced.count ? Array(synced[end...]) : [])
            case .nothing: return synced.count > end ? first + synced[end...] : first
            case .zeros: return first + (synced.count > end ? before(rest) : rest.map { _ in 0 })
            case .noise:
                return first + rest.map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            case .scattered:
                var bytes = first
                for start in stride(from: end, to: log.count, by: 512) {
                    let part = start..<min(start + 512, log.count)
                    bytes += generator.int(0...1) == 0 ? Array(log[part]) : before(part)
                }
                return bytes
            }
        }
    }
#endif
