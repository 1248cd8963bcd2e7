/// What an operation has made ready for the writer to commit.
enum PreparedWork: Sendable {
    /// Documents of one memory segment, and their strings as the journal wants them.
    case documents(AnalysedDocuments, journal: [[UInt8]])
    /// Documents with too much text for the journal: a flush makes them durable, at once or, in
    /// bulk, when enough has come together.
    case largeDocuments(AnalysedDocuments, isBulk: Bool)
    /// Objects to remove, by their identifiers.
    case removals([[UInt8]])
    case removalOfAll
    case engagement(EngagementChange)
    /// Changes of an application, with the state that stands for them.
    case changes(PreparedChanges)
    /// Objects to remove, by the identifiers that are found once all earlier work is visible.
    case matchingRemovals(@Sendable () throws -> [[UInt8]])
    /// Nothing to store; commits nothing.
    case nothing
}

/// A memory segment that can be made again, should a rebuild switch to another analyzer before it
/// is committed.
struct AnalysedDocuments: Sendable {
    let segment: MemorySegment
    private let analyzerNumber: Int
    private let analyse: @Sendable (Analyzer) -> MemorySegment

    /// Calls `analyse` with the analyzer of the snapshot, at once.
    init(
        under snapshot: Snapshot, _ analyse: @escaping @Sendable (Analyzer) -> MemorySegment
    ) {
        segment = analyse(snapshot.analyzer)
        analyzerNumber = snapshot.analyzerNumber
        self.analyse = analyse
    }

    /// The segment as the analyzer of that number makes it.
    func segment(_ analyzer: Analyzer, number: Int) -> MemorySegment {
        number == analyzerNumber ? segment : analyse(analyzer)
    }
}

/// The strings of a document as the journal keeps them: their number, then each, length first; then
/// the number of the text's language if the object says it.
enum JournalEntry {
    /// More text than this is not journaled: a flush costs less.
    static let largestText = 256 << 10

    static func encode(_ object: IndexedObject) -> [UInt8] {
        let strings = object.strings
        var output = Buffer<UInt8>(capacity: strings.reduce(16) { $0 + $1.utf8.count + 5 })
        output.appendVarint(strings.count)
        for var string in strings {
            string.withUTF8 {
                output.appendVarint($0.count)
                output.append(contentsOf: $0)
            }
        }
        if let language = object.language { output.append(language.storedNumber) }
        return output.toArray()
    }

    /// An object with these strings, and nothing else of it.
    static func decode(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) -> IndexedObject {
        var reader = ByteReader(bytes)
        var strings: [String] = []
        for _ in 0..<(try reader.varint(atMost: reader.remaining)) {
            strings.append(String(decoding: try reader.prefixed(), as: UTF8.self))
        }
        let language = reader.isAtEnd ? nil : StemmerLanguage(storedNumber: try reader.byte())
        return IndexedObject(strings: strings, language: language)
    }
}
