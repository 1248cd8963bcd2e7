public import Foundation

/// The identifiers of all objects that match a query, in order; see
/// ``TextIndex/identifiers(for:ranking:minimumScore:budget:)``.
///
/// It holds four bytes for each match and the identifiers of the documents around them, and stays
/// valid when the index changes or closes.
///
/// **Thread safety**: immutable.
public struct ObjectIdentifiers: RandomAccessCollection, Sendable {
    private let documents: [UInt32]
    private let reader: IdentityReader
    /// Whether the search ran to its end and was not cut short.
    public let isComplete: Bool

    init(
        _ documents: [UInt32], _ snapshot: Snapshot, _ store: IndexStore, isComplete: Bool
    ) throws {
        var reader = IdentityReader(snapshot)
        for document in documents { try reader.load(document, in: snapshot) }
        self.documents = documents
        self.reader = reader
        self.isComplete = isComplete
    }

    /// The position of the first identifier.
    public var startIndex: Int { 0 }
    /// The position after the last identifier.
    public var endIndex: Int { documents.count }
    /// The identifier at a position.
    ///
    /// - Precondition: The position is one of `indices`.
    public subscript(position: Int) -> Data { reader.identifier(of: documents[position]) }

    /// Returns one identifier after the other.
    public struct Iterator: IteratorProtocol {
        private var documents: IndexingIterator<[UInt32]>
        private let reader: IdentityReader
        /// Around the last one: the next one is often among them.
        private var neighbours: IdentityReader.Neighbours?

        fileprivate init(_ identifiers: ObjectIdentifiers) {
            documents = identifiers.documents.makeIterator()
            reader = identifiers.reader
        }

        /// Returns the next identifier; nil after the last one.
        public mutating func next() -> Data? {
            guard let document = documents.next() else { return nil }
            if neighbours?.documents.contains(document) != true {
                neighbours = reader.neighbours(of: document)
            }
            return neighbours?.identifier(of: document) ?? Data()
        }
    }

    /// Starts with the first identifier.
    public func makeIterator() -> Iterator { Iterator(self) }
}

extension TextIndex {
    /// Returns the identifiers of all objects that match a query, in order. That is much cheaper
    /// than results.
    ///
    /// A ``Query/filter(_:)`` computes no scores, so its objects come in the order of indexing.
    ///
    /// Complexity: that of matching, and of reading the identifiers, 256 neighbouring ones at a
    /// time.
    ///
    /// - Parameters:
    ///   - query: the query.
    ///   - ranking: the order of the identifiers.
    ///   - minimumScore: objects with a lower score are left out.
    ///   - budget: how long it may take; see ``ObjectIdentifiers/isComplete``.
    /// - Returns: The identifiers.
    /// - Throws: ``TextIndexError``: `.closed`, `.corrupted`, `.io`; `.limitExceeded` as
    ///   ``TextIndex/search(_:limit:offset:ranking:filter:fields:facets:minimumScore:budget:)``
    ///   does.
    public func identifiers(
        for query: Query, ranking: Ranking = .relevance, minimumScore: Double = -.infinity,
        budget: SearchBudget = .unlimited
    ) throws -> ObjectIdentifiers {
        let request = SearchRequest(
            query: query, ranking: ranking, minimumScore: minimumScore, budget: budget)
        let clock = clock(request)
        return try usage.search {
            let (ranked, request) = try ranked(request, clock)
            let documents =
                switch ranked {
                case .entries(let entries): entries.map(\.document)
                case .items(let items): items.map(\.document)
                }
            return try ObjectIdentifiers(
                documents, request.snapshot ?? writer.snapshot, store, isComplete: clock.isComplete)
        }
    }
}
