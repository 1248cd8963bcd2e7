import Synchronization

/// A run of documents that is not flushed yet: immutable, searched and merged where it is.
///
/// Document numbers in it are relative to its first document, so that it can be frozen on any
/// thread before its place in the index is known.
///
/// **Thread safety**: what is put together when somebody asks for it first is guarded; everything
/// else is immutable.
final class MemorySegment: Sendable {
    let terms: MemoryTerms
    let stems: StemList
    let strings: StringTable
    private let evenStrings: EvenStrings?
    let documents: DocumentTable
    let identifierTable: IdentifierTable
    let textByteCount: Int
    /// The memory it holds.
    let byteCount: Int
    let attributes = Mutex(AttributeColumns())
    private let lazyJoinedParts = Lazy<JoinedParts>()

    /// Freezes what a builder collected.
    convenience init(
        terms: consuming TermTable, log: borrowing WordLog, strings: consuming StringTable,
        documents: consuming DocumentTable, analyzer: Analyzer, textByteCount: Int
    ) {
        let counts = log.counts(ofTerms: terms.count)
        let stems = StemList(terms, log, strings, documents, analyzer, counts)
        self.init(
            terms: MemoryTerms(terms, log, strings, counts: counts), stems: stems,
            strings: strings, documents: documents, textByteCount: textByteCount)
    }

    init(
        terms: consuming MemoryTerms, stems: StemList, strings: consuming StringTable,
        documents: consuming DocumentTable, textByteCount: Int
    ) {
        self.terms = terms
        self.stems = stems
        self.textByteCount = textByteCount
        evenStrings = documents.firstString.withElements {
            EvenStrings($0, stringCount: strings.count)
        }
        self.strings = strings
        identifierTable = IdentifierTable(documents)
        self.documents = documents
        byteCount =
            self.terms.byteCount + self.strings.byteCount + self.documents.byteCount
            + identifierTable.byteCount + stems.byteCount
    }

    /// The parts of its joined words. Made once, then kept.
    var joinedParts: JoinedParts {
        lazyJoinedParts.get {
            JoinedParts { body in
                for number in 0..<terms.count { terms.withTerm(number) { body($0) } }
            }
        }
    }

    var documentCount: Int { documents.count }

    /// The document that a string belongs to, and which of its strings it is.
    ///
    /// The strings of postings are all over the tables: what is not computed is waited for.
    @inline(__always)
    func place(ofString string: UInt32) -> (document: UInt32, string: UInt32) {
        evenStrings?[string]
            ?? (strings.document[Int(string)], strings.index[Int(string)])
    }

    /// The words in each string of a document.
    func lengths(of document: Int) -> [UInt32] {
        strings(of: document).map { strings.length[$0] }
    }

    /// The words in a string of a document.
    @inline(__always)
    func length(of document: Int, string: Int) -> Int {
        let all = strings(of: document)
        return string < all.count ? Int(strings.length[all.lowerBound + string]) : 0
    }

    /// The numbers of a document's strings.
    func strings(of document: Int) -> Range<Int> {
        let first = Int(documents.firstString[document])
        let end =
            document + 1 < documents.count
            ? Int(documents.firstString[document + 1]) : strings.count
        return first..<end
    }
}
