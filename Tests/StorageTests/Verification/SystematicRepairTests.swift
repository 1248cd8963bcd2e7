import Foundation
import PowerCuts
import Testing

@testable import TestSupport
@testable import TextSearch

/// Every kind of damage to every file of a small index: what is whole is kept, what is not is
/// named, and doubt lasts until the source has spoken.
@Suite("Systematic repair", .timeLimit(.minutes(30)))
struct SystematicRepairTests {
    /// A closed index of several segments and a journal, and the plain dictionary that it is to be
    /// compared with.
    private struct Subject {
        let contents: DirectoryContents
        let configuration: TextIndexConfiguration
        /// The version of each note that is alive.
        private(set) var living: [Int: Int] = [:]
        /// The numbers of all versions that a note ever had.
        private(set) var versions: [Int: Set<Int>] = [:]
        /// Notes that were written since the last flush.
        let journaled: Set<Int>

        init(in folder: URL) throws {
            var configuration = tinyBuffers()
            configuration.bufferSize = 1 << 20
            self.configuration = configuration
            let directory = folder.appendingPathComponent("subject")
            let index = try openNotes(at: directory, configuration)
            var living: [Int: Int] = [:]
            var versions: [Int: Set<Int>] = [:]
            func put(_ notes: Range<Int>, _ version: Int) {
                for id in notes {
                    index.indexObject(WorkNote(id: id, version: version))
                    living[id] = version
                    versions[id, default: []].insert(version)
                }
                index.indexingQueue.waitUntilAllOperationsAreFinished()
            }
            func remove(_ id: Int) {
                index.removeIndex(forIdentifier: WorkNote.identifier(id)).waitUntilFinished()
                living[id] = nil
            }
            put(0..<100, 1)
            try index.flush()
            put(80..<180, 2)
            remove(3)
            try index.flush()
            try index.store.compact()
            put(170..<220, 3)
            try index.flush()
            for id in 215..<230 {
                put(id..<(id + 1), 4)
            }
            remove(7)
            journaled = Set(215..<230)
            try index.close()
            contents = try DirectoryContents(of: directory)
            self.living = living
            self.versions = versions
        }

        var files: [String] {
            contents.files.keys.filter { $0 != "LOCK" && contents.files[$0]?.isEmpty == false }
                .sorted()
        }
    }

    private enum Damage: CustomStringConvertible {
        case flip(String, Int, bit: Int)
        case cut(String, Int)
        case zeros(String, Range<Int>)
        case removal(String)

        var file: String {
            switch self {
            case .flip(let file, _, _), .cut(let file, _), .zeros(let file, _), .removal(let file):
                file
            }
        }

        var description: String {
            switch self {
            case .flip(let file, let place, let bit):
                "bit \(bit) of byte \(place) of \(file) flipped"
            case .cut(let file, let place): "\(file) cut at byte \(place)"
            case .zeros(let file, let range): "zeros in bytes \(range) of \(file)"
            case .removal(let file): "\(file) removed"
            }
        }

        /// A flip of one bit or another of a byte.
        static func flip(_ file: String, _ place: Int) -> Damage {
            .flip(file, place, bit: place % 8)
        }

        func apply(to contents: inout DirectoryContents) {
            switch self {
            case .flip(let file, let place, let bit):
                contents.files[file]?[place] ^= 1 << UInt8(bit)
            case .cut(let file, let place):
                contents.files[file] = contents.files[file]?.prefix(place)
            case .zeros(let file, let range): contents.files[file]?.resetBytes(in: range)
            case .removal(let file): contents.files[file] = nil
            }
        }
    }

    /// Where a table's blocks of entries end, its filter and the rest are: by its footer, whose
    /// handles are varints.
    private static func metadata(of table: Data) -> (filterEnd: Int, index: Range<Int>) {
        var rest = [UInt8](table.suffix(48))[...]
        func varint() -> Int {
            var value = 0
            var shift = 0
            while let byte = rest.popFirst() {
                value |= Int(byte & 0x7f) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            return value
        }
        let metadata = varint()
        _ = varint()
        let index = varint()
        return (metadata, index..<(index + varint()))
    }

    private static func damages(_ subject: Subject) -> [Damage] {
        var damages: [Damage] = []
        for file in subject.files {
            let size = subject.contents.files[file]?.count ?? 0
            damages += [.removal(file), .zeros(file, 0..<size)]
            // A log that is cut between two writes, as at its beginning, is one that ended there.
            if !file.hasSuffix(".log") { damages.append(.cut(file, 0)) }
            for part in 1...3 { damages.append(.cut(file, size * part / 4)) }
            damages.append(.cut(file, size - 1))
            if size > 128 { damages.append(.zeros(file, (size / 2)..<(size / 2 + 64))) }
            for place in stride(from: 0, to: size, by: max(size / 8, 1)) {
                damages.append(.flip(file, place))
            }
            damages.append(.flip(file, size - 1))
        }
        return damages
    }

    @Test("A repair keeps what is whole after damage of every kind in every file")
    func everyKind() throws {
        let folder = try TemporaryFolder("systematic")
        let subject = try Subject(in: folder.url)
        #expect(subject.files.filter { $0.hasSuffix(".ldb") }.count >= 3)
        var (certain, uncertain, keptAll) = (0, 0, 0)
        for damage in Self.damages(subject) {
            let outcome = try repair(subject, damage, folder("index"))
            if outcome.isUncertain { uncertain += 1 } else { certain += 1 }
            if outcome.kept == subject.living.count { keptAll += 1 }
        }
        // Neither is always said.
        #expect(certain >= 20 && uncertain >= 20, "\(certain) certain, \(uncertain) uncertain")
        #expect(keptAll >= 40, "\(keptAll)")
    }

    @Test("Damage beside the entries of a table loses nothing")
    func besideEntries() throws {
        let folder = try TemporaryFolder("systematic")
        let subject = try Subject(in: folder.url)
        for file in subject.files where file.hasSuffix(".ldb") {
            let table = try #require(subject.contents.files[file])
            let metadata = Self.metadata(of: table)
            let step = Scale.isWhole ? 7 : 43
            var places = Array(stride(from: metadata.index.lowerBound, to: table.count, by: step))
            places += [metadata.index.lowerBound, metadata.index.upperBound - 1, table.count - 1]
            places += [metadata.filterEnd, metadata.filterEnd - 6]
            var damages = places.map { Damage.flip(file, $0) }
            // Of the footer, each bit of where it says that metadata and index are.
            let footer = table.count - 48
            let isPadding = { (byte: Int) in table[byte] == 0 && table[byte - 1] == 0 }
            for byte in footer..<(footer + 40) where !isPadding(byte) {
                let bits = stride(
                    from: Scale.isWhole ? 0 : byte % 3, to: 8, by: Scale.isWhole ? 1 : 3)
                damages += bits.map { .flip(file, byte, bit: $0) }
            }
            damages.append(.cut(file, metadata.index.lowerBound))
            damages.append(.zeros(file, metadata.index.lowerBound..<table.count))
            for damage in damages {
                let outcome = try repair(subject, damage, folder("index"))
                #expect(outcome.kept == subject.living.count, "\(damage)")
                #expect(outcome.lost == 0 && !outcome.isUncertain, "\(damage)")
            }
        }
    }

    /// Damages a copy, repairs it and compares all that it says.
    private func repair(
        _ subject: Subject, _ damage: Damage, _ directory: URL
    ) throws -> (kept: Int, lost: Int, isUncertain: Bool) {
        let comment: Comment = "\(damage)"
        var contents = subject.contents
        damage.apply(to: &contents)
        try contents.write(to: directory)
        let report = try TextIndex<WorkNote>.repair(
            at: directory, configuration: subject.configuration)
        defer { try? FileManager.default.removeItem(at: report.damagedDirectory) }
        #expect(try DirectoryContents(of: report.damagedDirectory) == contents, comment)
        let index = try openNotes(at: directory, subject.configuration)
        defer { try? index.close() }
        #expect(index.count == report.objectCount, comment)
        #expect(try index.isUncertain == report.isUncertain, comment)
        #expect(try index.lostIdentifiers == report.lostIdentifiers, comment)
        var kept: [Int: Int] = [:]
        for item in try index.searchResults(forKeyword: "") {
            guard case .int(let id)? = item.context["id"],
                case .int(let version)? = item.context["version"]
            else { continue }
            kept[Int(id)] = Int(version)
            let stamp = WorkNote(id: Int(id), version: Int(version)).stamp
            let isFound = try index.searchResults(forKeyword: stamp).contains {
                $0.identifier == item.identifier
            }
            #expect(isFound, comment)
        }
        let lost = Set(
            report.lostIdentifiers.compactMap {
                Int(String(decoding: $0, as: UTF8.self).dropFirst("note-".count))
            })
        for (id, version) in kept where version != subject.living[id] {
            // What was replaced or removed is back only where that is said.
            let isTold = report.isUncertain && subject.versions[id]?.contains(version) == true
            #expect(isTold, comment)
        }
        let gone = subject.living.keys.filter { kept[$0] == nil && !lost.contains($0) }
        if !gone.isEmpty {
            #expect(report.isUncertain, comment)
            #expect(gone.count <= report.unidentifiedCount ?? .max, comment)
        }
        if case .flip(let file, _, _) = damage {
            // A write in a log is lost as a whole, which is one note. In tables there are three
            // copies of an identifier.
            #expect(gone.count <= (file.hasSuffix(".log") ? 1 : 0), comment)
        }
        return (kept.count, lost.count, report.isUncertain)
    }

    @Test("Doubt lasts through repairs and copies until the source has spoken")
    func doubtLasts() throws {
        let folder = try TemporaryFolder("systematic")
        let subject = try Subject(in: folder.url)
        let directory = folder("index")
        var contents = subject.contents
        contents.files["CURRENT"] = nil
        // A note is lost only with all tables that have its record: compactions leave what others
        // replace, and share out entries as they like.
        let tables = try contents.tables(withRecordOf: WorkNote.identifier(0), in: folder("table"))
        #expect(!tables.isEmpty)
        for table in tables { contents.files[table] = nil }
        try contents.write(to: directory)
        let configuration = subject.configuration
        #expect(
            try TextIndex<WorkNote>.repair(at: directory, configuration: configuration).isUncertain)
        let second = try TextIndex<WorkNote>.repair(at: directory, configuration: configuration)
        #expect(second.isUncertain && second.damagedFiles.isEmpty)
        try TextIndex<WorkNote>.purge(at: directory, configuration: configuration)
        let index = try openNotes(at: directory, configuration)
        #expect(try index.isUncertain)
        for method in [BackupMethod.entries, .links] {
            try index.backup(to: folder("\(method)"), by: method)
            let copy = try openNotes(at: folder("\(method)"), configuration)
            #expect(try copy.isUncertain)
            #expect(try copy.verify().isUncertain)
            try copy.close()
        }
        try index.publish(to: folder("published"))
        let reader = try TextIndex<WorkNote>(
            published: folder("published"), configuration: configuration)
        #expect(try reader.isUncertain)
        try reader.close()

        let living = subject.living
        index.objectGetter = { identifier in
            let id = Int(String(decoding: identifier, as: UTF8.self).dropFirst("note-".count))
            return id.flatMap { id in living[id].map { WorkNote(id: id, version: $0) } }
        }
        let source = living.keys.map { WorkNote.identifier($0) }
        let doubtful = try index.verify(against: source)
        #expect(!doubtful.isClean)
        #expect(doubtful.findings.contains { $0.kind == .missing && $0.table == "identifiers" })
        #expect(try index.isUncertain)
        for (id, version) in living { index.indexObject(WorkNote(id: id, version: version)) }
        for identifier in try index.identifiers() where !source.contains(identifier) {
            index.removeIndex(forIdentifier: identifier)
        }
        index.indexingQueue.waitUntilAllOperationsAreFinished()
        // The objects of the index alone cannot tell what is missing.
        #expect(try index.verify(depth: .source(sample: nil)).isUncertain)
        #expect(try index.isUncertain)
        let settled = try index.verify(against: source)
        #expect(settled.isClean && !settled.isUncertain, "\(settled)")
        #expect(try !index.isUncertain && index.lostIdentifiers.isEmpty)
        #expect(try !index.verify().isUncertain)
        try index.close()
    }
}

extension DirectoryContents {
    /// The tables that have a record of an object. `place`: a directory that each is read in alone.
    fileprivate func tables(withRecordOf identifier: Data, in place: URL) throws -> [String] {
        defer { try? FileManager.default.removeItem(at: place) }
        let isOfDatabase = { (name: String) in
            name == "CURRENT" || name.hasPrefix("MANIFEST") || name.hasSuffix(".log")
                || name.hasSuffix(".ldb")
        }
        let others = files.filter { !isOfDatabase($0.key) }
        return try files.keys.filter { $0.hasSuffix(".ldb") }.sorted().filter { table in
            var alone = self
            alone.files = others
            alone.files[table] = files[table]
            try alone.write(to: place)
            var isFound = false
            try StoreWreck(at: place).forEachKey { key, value, _ in
                guard key.first == Table.objects.rawValue, let value else { return }
                let record = try Seal.content(key, value)
                if try ObjectRecord.identifier(record).elementsEqual(identifier) { isFound = true }
            }
            return isFound
        }
    }
}
