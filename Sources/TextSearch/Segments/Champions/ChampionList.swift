/// The documents of a segment that may be the best for a keyword, chosen when the segment was written: for words that are asked for by themselves and that many terms hold, so that what
/// they add up to would take long to find out. Such are stop words.
///
/// Of the documents in which the keyword stands in one string alone, and so often, none scores better than those with the shortest strings, however words and lengths count: so many are kept
/// as a page may ask for. (Champion lists: Manning, Raghavan, Schütze, "Introduction to Information Retrieval", 7.1.3; there the choice is by frequency, and may leave out one of the best.)
///
/// Of those in which it stands in several strings, or very often, there is no such order: all are kept while they are few, else those with the highest impacts, and a bound of the impacts of the others.
///
/// Stored form: how many documents have the keyword, how many terms hold it; which documents they are (`ListedDocuments`), their length first; the groups, and of each the string, the frequency, the documents and these, each less the one before it; the counts
/// of documents that are in no group, and of each the document less the one before, the string and the frequency; the bound of those that were left out. All varints.
struct ChampionList: Sendable, Equatable {
    /// So many documents of a group are kept; where it has so many, others may have been left out.
    static let groupSize = 32

    /// Documents that have the keyword in this string alone, so often.
    struct Group: Sendable, Equatable {
        var string: UInt32
        var frequency: UInt32
        /// By their numbers in the segment, ascending.
        var documents: [UInt32] = []

        var isFull: Bool { documents.count >= ChampionList.groupSize }
    }

    /// How often a document has the keyword in one of its strings.
    struct Count: Sendable, Equatable, BitwiseCopyable {
        var document: UInt32
        var string: UInt32
        var frequency: UInt32
    }

    /// In how many documents of the segment the keyword stands.
    var documentCount = 0
    /// How many of its terms hold the keyword.
    var termCount = 0
    /// Which documents they are, so that dead ones need not be counted.
    var documents = ListedDocuments()
    /// The highest frequencies first.
    var groups: [Group] = []
    /// Of documents that are in no group, by document, then by string.
    var others: [Count] = []
    /// No document that is in no group, and was left out, has a greater impact (`Impact.stored`); 0 where none was left out.
    var leftOut: UInt16 = 0

    func encode(into output: inout Buffer<UInt8>) {
        output.appendVarint(documentCount)
        output.appendVarint(termCount)
        output.appendPrefixed(documents.bytes)
        output.appendVarint(groups.count)
        for group in groups {
            output.appendVarint(UInt64(group.string))
            output.appendVarint(UInt64(group.frequency))
            output.appendVarint(group.documents.count)
            var last: UInt32 = 0
            for document in group.documents {
                output.appendVarint(UInt64(document - last))
                last = document
            }
        }
        output.appendVarint(others.count)
        var last: UInt32 = 0
        for count in others {
            output.appendVarint(UInt64(count.document - last))
            output.appendVarint(UInt64(count.string))
            output.appendVarint(UInt64(count.frequency))
            last = count.document
        }
        output.appendVarint(UInt64(leftOut))
    }

    init() {}

    /// `lengths` are those of the segment's documents, which must have the strings.
    fileprivate init(
        _ reader: inout ByteReader, _ lengths: LengthColumn
    ) throws(MalformedData) {
        documentCount = try reader.varint(atMost: lengths.count)
        termCount = try reader.varint(atMost: Int(UInt32.max))
        documents = try ListedDocuments(
            try reader.prefixed(), of: lengths.count, documentCount: documentCount)
        for _ in 0..<(try reader.varint(atMost: reader.remaining)) {
            var group = Group(string: try reader.uint32(), frequency: try reader.uint32())
            guard group.frequency > 0 else { throw MalformedData() }
            var last: UInt32 = 0
            for place in 0..<(try reader.varint(atMost: reader.remaining)) {
                let gap = try reader.uint32()
                let (document, overflow) = last.addingReportingOverflow(gap)
                guard !overflow, gap > 0 || place == 0,
                    lengths.has(Int(group.string), of: Int(document))
                else { throw MalformedData() }
                group.documents.append(document)
                last = document
            }
            groups.append(group)
        }
        var last: UInt32 = 0
        for _ in 0..<(try reader.varint(atMost: reader.remaining)) {
            let (document, overflow) = last.addingReportingOverflow(try reader.uint32())
            let (string, frequency) = (try reader.uint32(), try reader.uint32())
            guard !overflow, frequency > 0, lengths.has(Int(string), of: Int(document)) else {
                throw MalformedData()
            }
            others.append(Count(document: document, string: string, frequency: frequency))
            last = document
        }
        leftOut = UInt16(truncatingIfNeeded: try reader.varint(atMost: Int(Impact.largest)))
    }
}

/// The lists of a segment, by keyword.
///
/// Stored form (`c` table, column 6, one page): 0, the number of the form, the number of lists; of each the length of the keyword, the keyword, folded, and the list. Lists of another form, as the first ones, which began with how many there are, say nothing, and are no damage:
/// what they say can be found out without them.
struct ChampionLists: Sendable {
    private var lists: [[UInt8]: ChampionList] = [:]
    /// What a page of this form begins with.
    private static let form: [UInt8] = [0, 1]

    var isEmpty: Bool { lists.isEmpty }
    var keywords: [[UInt8]] { Array(lists.keys) }

    init() {}

    init(_ bytes: UnsafeRawBufferPointer, _ lengths: LengthColumn) throws(MalformedData) {
        var reader = ByteReader(bytes)
        for byte in Self.form where try reader.byte() != byte { return }
        for _ in 0..<(try reader.varint(atMost: reader.remaining)) {
            let keyword = Array(try reader.prefixed())
            guard lists.updateValue(try ChampionList(&reader, lengths), forKey: keyword) == nil
            else { throw MalformedData() }
        }
        guard reader.isAtEnd else { throw MalformedData() }
    }

    mutating func add(_ list: ChampionList, for keyword: [UInt8]) { lists[keyword] = list }

    /// The list of a keyword, if it was made.
    func list(of keyword: [UInt8]) -> ChampionList? { lists[keyword] }

    func encode(into output: inout Buffer<UInt8>) {
        output.append(bytes: Self.form)
        output.appendVarint(lists.count)
        for (keyword, list) in lists.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            output.appendPrefixed(keyword)
            list.encode(into: &output)
        }
    }
}
