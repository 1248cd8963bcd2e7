import Foundation

/// The identifiers of documents of a snapshot, without their records.
///
/// It holds the pages that were loaded, and nothing else of the snapshot.
struct IdentityReader: Sendable {
    /// Where the identifiers of neighbouring documents are.
    fileprivate enum Source: Sendable {
        case page(IdentifierPage)
        case memory(MemorySegment)
    }

    /// The documents of a segment.
    private struct Run: Sendable {
        var documents: Range<UInt32>
        /// The number of the flushed segment; nil in memory.
        var segment: UInt32?
        /// Where its pages begin in `sources`.
        var firstSource: Int
    }

    private var runs: [Run] = []
    private var sources: [Source?] = []
    /// Those that were made known last.
    private var latest: Neighbours?

    init(_ snapshot: Snapshot) {
        for segment in snapshot.segments {
            var run = Run(documents: segment.documents, firstSource: sources.count)
            switch segment {
            case .flushed(let segment):
                run.segment = segment.number
                let pageCount = IdentifierPage.pageCount(of: segment.manifest)
                sources.append(contentsOf: repeatElement(nil, count: pageCount))
            case .memory(let placed): sources.append(.memory(placed.segment))
            }
            runs.append(run)
        }
    }

    /// The identifier of a document, whose page is loaded where it is not yet.
    ///
    /// - Throws: ``TextIndexError``: `.corrupted` where it has none, `.io`.
    mutating func identifier(of document: UInt32, in snapshot: Snapshot) throws -> Data {
        let identifier = try load(document, in: snapshot).identifier(of: document)
        guard !identifier.isEmpty else {
            throw TextIndexError.corrupted("the identifier of document \(document)")
        }
        return identifier
    }

    /// Makes the identifier of a document of the snapshot known, with those around it.
    @discardableResult
    mutating func load(_ document: UInt32, in snapshot: Snapshot) throws -> Neighbours {
        if let latest, latest.documents.contains(document) { return latest }
        guard let run = run(of: document) else { throw TextIndexError.corrupted("the documents") }
        let place = place(of: document, in: run)
        let source = try sources[place.source] ?? page(place.source, of: run, in: snapshot)
        let neighbours = Neighbours(documents: place.documents, source: source)
        latest = neighbours
        return neighbours
    }

    private mutating func page(
        _ place: Int, of run: Run, in snapshot: Snapshot
    ) throws -> Source {
        guard let segment = snapshot.flushed.first(where: { $0.number == run.segment }) else {
            throw TextIndexError.corrupted("the documents")
        }
        let source = Source.page(try segment.identifierPage(place - run.firstSource))
        sources[place] = source
        return source
    }

    /// The identifier of a document; empty where it has none or was not loaded.
    func identifier(of document: UInt32) -> Data {
        neighbours(of: document)?.identifier(of: document) ?? Data()
    }

    /// Documents whose identifiers lie together.
    struct Neighbours: Sendable {
        let documents: Range<UInt32>
        fileprivate let source: Source

        /// The identifier of one of them; empty where it has none.
        func identifier(of document: UInt32) -> Data {
            let place = Int(document &- documents.lowerBound)
            return switch source {
            case .page(let page): page.withIdentifier(at: place, Self.data)
            case .memory(let segment): segment.documents.withIdentifier(of: place, Self.data)
            }
        }

        @inline(__always)
        private static func data(_ bytes: UnsafeBufferPointer<UInt8>) -> Data {
            bytes.baseAddress.map { Data(bytes: $0, count: bytes.count) } ?? Data()
        }
    }

    /// Those around a document; nil where its identifier was not loaded.
    func neighbours(of document: UInt32) -> Neighbours? {
        guard let run = run(of: document) else { return nil }
        let place = place(of: document, in: run)
        return sources[place.source].map { Neighbours(documents: place.documents, source: $0) }
    }

    /// Where the identifier of a document of a run is to be, and those of which others.
    private func place(of document: UInt32, in run: Run) -> (source: Int, documents: Range<UInt32>)
    {
        guard run.segment != nil else { return (run.firstSource, run.documents) }
        let page = Int(document - run.documents.lowerBound) / IdentifierPage.size
        let first = run.documents.lowerBound + UInt32(page * IdentifierPage.size)
        let end = min(UInt64(first) + UInt64(IdentifierPage.size), UInt64(run.documents.upperBound))
        return (run.firstSource + page, first..<UInt32(end))
    }

    private func run(of document: UInt32) -> Run? {
        // Segments are few.
        runs.first { $0.documents.contains(document) }
    }
}
