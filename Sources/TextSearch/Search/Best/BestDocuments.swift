/// A document with what it is ordered by.
struct RankedDocument {
    var document: UInt32
    var score: Double
    var relevance: Double

    /// By score, then by relevance, then in the order of documents.
    @inline(__always)
    static func precedes(_ a: RankedDocument, _ b: RankedDocument) -> Bool {
        if a.score != b.score { return a.score > b.score }
        return a.relevance != b.relevance ? a.relevance > b.relevance : a.document < b.document
    }
}

/// The first in order of documents that come in any.
struct BestDocuments {
    /// How many are wanted.
    private let count: Int
    /// Room for more than are wanted, so that most of those to come need only be compared with the
    /// worst that is.
    private let room: Int
    private var documents: [RankedDocument] = []
    /// What has a lower score is none of them.
    private(set) var least = -Double.infinity

    init(count: Int) {
        self.count = count
        let (double, overflow) = max(count, 32).multipliedReportingOverflow(by: 2)
        room = overflow ? .max : double
    }

    mutating func append(_ document: RankedDocument) {
        documents.append(document)
        guard documents.count >= room else { return }
        documents.sort { RankedDocument.precedes($0, $1) }
        documents.removeSubrange(count...)
        least = documents.last?.score ?? .infinity
    }

    /// All that may be wanted, in order; there may be more.
    consuming func sorted() -> [RankedDocument] {
        documents.sort { RankedDocument.precedes($0, $1) }
        return documents
    }
}
