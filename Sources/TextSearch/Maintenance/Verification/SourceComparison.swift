import Foundation

/// Compares the documents of one committed state with the objects that they were made of.
struct SourceComparison {
    /// What has read all of the state.
    let verifier: Verifier

    /// Reads all of a state, and what occurs in each of its documents.
    init(_ view: VerificationView) throws {
        verifier = Verifier(view)
        try verifier.examineQuickly()
        verifier.occurrences = [:]
        addOccurrencesInMemory()
        try verifier.examineFully()
        verifier.report.depth = "source"
    }

    /// The same of a state that must be whole.
    ///
    /// - Throws: `.corrupted` where anything is wrong with it.
    static func ofWhole(_ view: VerificationView) throws -> SourceComparison {
        let comparison = try SourceComparison(view)
        guard comparison.verifier.report.isClean else {
            throw TextIndexError.corrupted("what is to be compared with its source")
        }
        return comparison
    }

    /// The living documents to compare with their objects: about `sample`, spread evenly.
    func documentsToCompare(_ sample: Int?) -> [UInt32] {
        let stride = max(verifier.report.objectCount / max(sample ?? .max, 1), 1)
        var place = 0
        var documents: [UInt32] = []
        verifier.view.snapshot.forEachDocument { document in
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
                try lookup.document(for: $0, in: verifier.view.snapshot)
            }
            guard document == nil else { continue }
            verifier.report.add(
                .missing, .identifiers, key: identifier, "an object of the source is not there")
        }
    }

    /// What the occurrences in documents that are not flushed add up to.
    private func addOccurrencesInMemory() {
        for part in verifier.view.snapshot.memory {
            let segment = part.segment
            for term in 0..<segment.terms.count {
                segment.terms.withTerm(term) { bytes in
                    segment.terms.withOccurrences(of: term) { all in
                        for occurrence in all {
                            let string = Int(occurrence.string)
                            let document = part.firstDocument + segment.strings.document[string]
                            verifier.occurrences?[document, default: 0] &+= Verifier.digest(
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
            return verifier.report.add(
                .outdated, .objects, document: document, "there is no such object any more")
        }
        verifier.report.sourceCount += 1
        let difference = try difference(of: document, identifier, from: object)
        if difference.contains(.record) {
            verifier.report.add(
                .outdated, .objects, document: document, "the record would be another one")
        }
        if difference.contains(.terms) {
            verifier.report.add(
                .outdated, .postings, document: document, "the terms would be others")
        }
    }

    /// What of a document is not what its object gives now; `occurrences` were counted.
    func difference(
        of document: UInt32, _ identifier: Data, from object: IndexedObject
    ) throws -> ObjectDifference {
        var difference = ObjectDifference.none
        let segment = MemorySegment.analysing(
            [(Array(identifier), object)], verifier.view.snapshot.analyzer, textByteCount: 0)
        let stored = try verifier.view.value(Key.document(.objects, document)) ?? []
        let isSame = segment.documents.withRecord(of: 0) { record in
            stored.dropLast(Seal.byteCount).withUnsafeBytes {
                (try? ObjectRecord.isSame($0, as: record)) ?? false
            }
        }
        if !isSame { difference.insert(.record) }
        var digest: UInt64 = 0
        for term in 0..<segment.terms.count {
            segment.terms.withTerm(term) { bytes in
                segment.terms.withOccurrences(of: term) { all in
                    for occurrence in all {
                        digest &+= Verifier.digest(bytes, occurrence.string, occurrence.position)
                    }
                }
            }
        }
        if digest != verifier.occurrences?[document, default: 0] { difference.insert(.terms) }
        return difference
    }
}

/// What of a stored document is not what its object gives.
struct ObjectDifference: OptionSet {
    let rawValue: Int

    static let none: ObjectDifference = []
    static let record = ObjectDifference(rawValue: 1)
    static let terms = ObjectDifference(rawValue: 2)
}
