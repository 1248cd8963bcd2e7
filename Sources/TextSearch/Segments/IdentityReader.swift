import Foundation

/// The identifiers of documents of a snapshot, without their records.
///
/// It holds the pages that were loaded, and nothing else of the snapshot.
struct IdentityReader: Sendable {
    /// Where the identifiers of neighbouring documents are.
    private enum Source: Sendable {
        case page(IdentifierPage)
        case memory(MemorySegment)
    }

    /// The documents of a segment.
    private struct Run: Sendable {
        var documents: Range<UInt32>
        /// Nil in memory.
        var segment: Manifest.Segment?
        /// Where its pages begin in `sources`.
        var firstSource: Int
    }

    private var runs: [Run] = []
    private var sources: [Source?] = []

    init(_ snapshot: Snapshot) {
        for segment in snapshot.flushed {
            let manifest = segment.manifest
            runs.append(
                Run(documents: manifest.documents, segment: manifest, firstSource: sources.count))
            let pageCount = IdentifierPage.pageCount(of: manifest)
            sources.append(contentsOf: repeatElement(nil, count: pageCount))
        }
        for part in snapshot.memory {
            runs.append(
                Run(documents: part.documents, segment: nil, firstSource: sources.count))
            sources.append(.memory(part.segment))
        }
    }

    /// The identifier of a document, whose page is loaded where it is not yet.
    ///
    /// - Throws: ``TextIndexError``: `.corrupted` where it has none, `.io`.
    mutating func identifier(of document: UInt32, _ store: IndexStore) throws -> Data {
        try load(document, store)
        let identifier = identifier(of: document)
        guard !identifier.isEmpty else {
            throw TextIndexError.corrupted("the identifier of document \(document)")
        }
        return identifier
    }

    /// Makes the identifier of a document known.
    mutating func load(_ document: UInt32, _ store: IndexStore) throws {
        guard let run = run(of: document) else { throw TextIndexError.corrupted("the documents") }
        guard let segment = run.segment else { return }
        let number = Int(document - run.documents.lowerBound) / IdentifierPage.size
        let place = run.firstSource + number
        if sources[place] == nil {
            sources[place] = .page(try store.identifierPage(number, of: segment))
        }
    }

    /// The identifier of a document; empty where it has none or was not loaded.
    func identifier(of document: UInt32) -> Data {
        guard let run = run(of: document) else { return Data() }
        let place = Int(document - run.documents.lowerBound)
        guard run.segment != nil else { return identifier(in: sources[run.firstSource], at: place) }
        return identifier(
            in: sources[run.firstSource + place / IdentifierPage.size],
            at: place % IdentifierPage.size)
    }

    private func identifier(in source: Source?, at place: Int) -> Data {
        switch source {
        case .page(let page): page.withIdentifier(at: place) { Data($0) }
        case .memory(let segment): segment.documents.withIdentifier(of: place) { Data($0) }
        case nil: Data()
        }
    }

    private func run(of document: UInt32) -> Run? {
        // Segments are few.
        runs.first { $0.documents.contains(document) }
    }
}
