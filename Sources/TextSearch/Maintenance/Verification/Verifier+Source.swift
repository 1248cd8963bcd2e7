import Foundation

extension Verifier {
    /// The living documents to compare with their objects: about `sample`, spread evenly.
    func documentsToCompare(_ sample: Int?) -> [UInt32] {
        let stride = max(report.objectCount / max(sample ?? .max, 1), 1)
        var place = 0
        var documents: [UInt32] = []
        view.snapshot.forEachDocument { document in
            if place % stride == 0 { documents.append(document) }
            place += 1
            return true
        }
        return documents
    }

    /// Reports identifiers of the source that no living document has.
    func findMissing(_ identifiers: some Sequence<Data>, in store: IndexStore) throws {
        var lookup = IdentifierLookup(store: store)
        for identifier in identifiers {
            let document = try Array(identifier).withUnsafeBufferPointer {
                try lookup.document(for: $0, in: view.snapshot)
            }
            guard document == nil else { continue }
            report.add(
                .missing, .identifiers, key: identifier, "an object of the source is not there")
        }
    }

    /// What the occurrences in documents that are not flushed add up to.
    func addOccurrencesInMemory() {
        for part in view.snapshot.memory {
            let segment = part.segment
            for term in 0..<segment.termCount {
                segment.withTerm(term) { bytes in
                    segment.withOccurrences(of: term) { all in
                        for occurrence in all {
                            let string = Int(occurrence.string)
                            let document = part.firstDocument + segment.strings.document[string]
                            occurrences?[document, default: 0] &+= Self.digest(
                                bytes, segment.strings.index[string], occurrence.position)
                        }
                    }
                }
            }
        }
    }

    /// Compares what is stored of a document with its object analysed again; nil when the object is
    /// not to be indexed any more.
    func compare(_ document: UInt32, _ identifier: Data, with object: IndexedObject?) throws {
        guard let object else {
            return report.add(
                .outdated, .objects, document: document, "there is no such object any more")
        }
        report.sourceCount += 1
        let difference = try difference(of: document, identifier, from: object)
        if difference.contains(.record) {
            report.add(.outdated, .objects, document: document, "the record would be another one")
        }
        if difference.contains(.terms) {
            report.add(.outdated, .postings, document: document, "the terms would be others")
        }
    }

    /// What of a document is not what its object gives now; `occurrences` were counted.
    func difference(
        of document: UInt32, _ identifier: Data, from object: IndexedObject
    ) throws -> ObjectDifference {
        var difference = ObjectDifference.none
        let segment = MemorySegment.analysing(
            [(Array(identifier), object)], view.snapshot.analyzer, textByteCount: 0)
        let stored = try view.value(Key.document(.objects, document)) ?? []
        let isSame = segment.documents.withRecord(of: 0) { record in
            stored.dropLast(Seal.byteCount).withUnsafeBytes {
                (try? ObjectRecord.isSame($0, as: record)) ?? false
            }
        }
        if !isSame { difference.insert(.record) }
        var digest: UInt64 = 0
        for term in 0..<segment.termCount {
            segment.withTerm(term) { bytes in
                segment.withOccurrences(of: term) { all in
                    for occurrence in all {
                        digest &+= Self.digest(bytes, occurrence.string, occurrence.position)
                    }
                }
            }
        }
        if digest != occurrences?[document, default: 0] { difference.insert(.terms) }
        return difference
    }

    /// One that has read all of a committed state, to compare documents with their objects.
    ///
    /// - Throws: `.corrupted` where anything is wrong with it.
    static func ofOccurrences(_ view: VerificationView) throws -> Verifier {
        let verifier = Verifier(view)
        try verifier.examineQuickly()
        verifier.occurrences = [:]
        verifier.addOccurrencesInMemory()
        try verifier.examineFully()
        guard verifier.report.isClean else {
            throw TextIndexError.corrupted("what is to be compared with its source")
        }
        return verifier
    }
}

/// What of a stored document is not what its object gives.
struct ObjectDifference: OptionSet {
    let rawValue: Int

    static let none: ObjectDifference = []
    static let record = ObjectDifference(rawValue: 1)
    static let terms = ObjectDifference(rawValue: 2)
}
