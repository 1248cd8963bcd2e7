import Foundation

/// The tables that have a document's number in their keys.
extension Verifier {
    /// Every record against the columns and the memory segment that know of its document.
    func examineObjects() throws {
        var digest = ContentDigest()
        defer { report.contentDigest = digest.text(of: view.snapshot.analyzer) }
        try forEachEntry(of: .objects) { key, value in
            let document = try Self.document(key)
            let owner = owner(of: document)
            let part = owner == nil ? memoryPart(of: document) : nil
            guard owner != nil || part != nil else { return countUnnamed(.objects) }
            report.documentCount += 1
            do {
                let content = try Seal.content(key, value)
                let record = try ObjectRecord(content)
                if view.snapshot.isLive(document) { digest.add(try ObjectRecord.digest(content)) }
                identifierHashes[document] = Self.hash(record.identifier)
                try compare(record, document, owner, part)
            } catch is MalformedData {
                report.add(
                    .malformed, .objects, document: document, key: Data(key),
                    "the record is not what was written")
            }
        }
        forEachDocument { document in
            guard identifierHashes[document] == nil else { return }
            identifierHashes[document] = 0
            report.add(.missing, .objects, document: document, "the document has no record")
        }
    }

    private func compare(
        _ record: ObjectRecord, _ document: UInt32, _ owner: SegmentExamination?,
        _ part: PlacedSegment?
    ) throws {
        var words: [UInt32] = []
        try record.forEachString { starts throws(MalformedData) in
            var starts = starts
            words.append(UInt32(clamping: starts.wordCount))
            var last = -1
            for word in 0..<starts.wordCount {
                let start = try starts.start(ofWord: word)
                guard start >= last else { throw MalformedData() }
                last = start
            }
        }
        let lengths: [UInt32]
        let weight: Double
        let identity: UInt64
        if let owner {
            guard owner.hasColumns else { return }
            let relative = Int(document - owner.manifest.firstDocument)
            lengths = owner.lengths.of(relative)
            weight = owner.weights[relative]
            identity = owner.identifiers[relative]
        } else if let part {
            let relative = Int(document - part.firstDocument)
            lengths = part.segment.lengths(of: relative)
            weight = part.segment.documents.weights[relative]
            identity = part.segment.documents.withIdentifier(of: relative) { Self.hash($0) }
        } else {
            return
        }
        if identity != identifierHashes[document] {
            report.add(
                .mismatch, .objects, document: document, "the record is of another object")
        }
        if lengths != words {
            report.add(
                .mismatch, .objects, document: document,
                "the record has strings of other lengths than its segment")
        }
        if weight.bitPattern != record.weight.bitPattern {
            report.add(.mismatch, .objects, document: document, "the weights differ")
        }
        if try !hasSameAttributes(record, document, owner, part) {
            report.add(.mismatch, .objects, document: document, "the attributes differ")
        }
    }

    private func hasSameAttributes(
        _ record: ObjectRecord, _ document: UInt32, _ owner: SegmentExamination?,
        _ part: PlacedSegment?
    ) throws -> Bool {
        if let owner {
            return owner.attributes.holds(
                record.attributes, of: Int(document - owner.manifest.firstDocument))
        }
        guard let part else { return true }
        let stored = part.segment.documents.withAttributes(
            of: Int(document - part.firstDocument)
        ) { Array($0) }
        return try stored.withUnsafeBytes { try RecordHead.attributes($0) } == record.attributes
    }

    /// Every record has its identifier's key, and every key the record; an identifier is alive once
    /// at most.
    func examineIdentifiers() throws {
        var seen: Set<UInt32> = []
        var last: [UInt8] = []
        var isAlive = false
        try forEachEntry(of: .identifiers) { key, value in
            guard key.count >= 8, value.isEmpty,
                Int(key[1]) << 8 | Int(key[2]) == key.count - 7
            else { throw MalformedData() }
            let document = try Key.lastNumber(key)
            guard let hash = identifierHashes[document] else {
                return countUnnamed(.identifiers)
            }
            let identifier = UnsafeRawBufferPointer(rebasing: key[3..<(key.count - 4)])
            if hash != 0, hash != Self.hash(identifier.bindMemory(to: UInt8.self)) {
                return report.add(
                    .mismatch, .identifiers, document: document, key: Data(key),
                    "the document's record has another identifier")
            }
            seen.insert(document)
            if !identifier.elementsEqual(last) {
                last = Array(identifier)
                isAlive = false
            }
            guard view.snapshot.isLive(document) else { return }
            if isAlive {
                report.add(
                    .unexpected, .identifiers, document: document, key: Data(key),
                    "the identifier has two living documents")
            }
            isAlive = true
        }
        forEachDocument { document in
            guard !seen.contains(document) else { return }
            report.add(
                .missing, .identifiers, document: document, "the document's identifier is not there"
            )
        }
    }

    /// Documents that are not flushed have their strings in the journal.
    func examineJournal() throws {
        var seen: Set<UInt32> = []
        try forEachEntry(of: .journal) { key, value in
            let document = try Self.document(key)
            guard memoryPart(of: document) != nil else { return countUnnamed(.journal) }
            seen.insert(document)
            _ = try JournalEntry.decode(try Seal.content(key, value))
        }
        for part in view.snapshot.memory {
            for document in part.documents where !seen.contains(document) {
                report.add(
                    .missing, .journal, document: document, "the document's strings are not there")
            }
        }
    }

    /// Every dead document of a segment has a tombstone, and no other.
    func examineTombstones() throws {
        var seen: Set<UInt32> = []
        try forEachEntry(of: .tombstones) { key, value in
            let document = try Self.document(key)
            guard value.isEmpty else { throw MalformedData() }
            guard owner(of: document) != nil || memoryPart(of: document) != nil else {
                return countUnnamed(.tombstones)
            }
            seen.insert(document)
            if !view.snapshot.dead.contains(document) {
                report.add(
                    .unexpected, .tombstones, document: document, "the document is alive")
            }
        }
        let isDead = { [snapshot = view.snapshot] (document: UInt32) in
            snapshot.covers(document) && snapshot.dead.contains(document)
        }
        forEachDocument { document in
            guard isDead(document), !seen.contains(document),
                Self.isVisible(document, visible, view.snapshot)
            else { return }
            report.add(
                .missing, .tombstones, document: document, "the document is dead without one")
        }
    }

    /// Whether searches would see the document if it were alive: not one that only an unfinished
    /// rebuild has.
    private static func isVisible(
        _ document: UInt32, _ visible: [SegmentExamination], _ snapshot: Snapshot
    ) -> Bool {
        visible.contains { $0.owns(document) }
            || snapshot.memory.contains { $0.documents.contains(document) }
    }

    /// Calls `body` with every document that a segment has, dead ones too.
    private func forEachDocument(_ body: (UInt32) -> Void) {
        for segment in visible + rebuilt {
            for document in segment.manifest.documents where segment.owns(document) {
                body(document)
            }
        }
        for part in view.snapshot.memory { part.documents.forEach(body) }
    }

    private static func document(_ key: UnsafeRawBufferPointer) throws(MalformedData) -> UInt32 {
        guard key.count == 5 else { throw MalformedData() }
        return try Key.lastNumber(key)
    }

    static func hash(_ identifier: Data) -> UInt64 {
        Array(identifier).withUnsafeBufferPointer { hash($0) }
    }

    /// Never 0, which stands for a record that cannot be read.
    static func hash(_ identifier: UnsafeBufferPointer<UInt8>) -> UInt64 {
        max(Checksum.of(identifier), 1)
    }
}
