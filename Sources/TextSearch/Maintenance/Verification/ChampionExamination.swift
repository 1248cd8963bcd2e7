/// Makes the lists of a segment's stop words once more out of its postings, to compare them with those that are stored.
struct ChampionExamination {
    private let segment: SegmentExamination
    private let infixes: StopWordInfixes
    private var postings: StopWordPostings

    init(_ segment: SegmentExamination) {
        self.segment = segment
        infixes = StopWordInfixes(segment.champions.keywords)
        postings = StopWordPostings(infixes)
    }

    /// Takes the postings of a term.
    mutating func take(_ term: UnsafeBufferPointer<UInt8>, _ chunk: [UInt8]) {
        guard !infixes.words.isEmpty else { return }
        var bytes = Buffer<UInt8>(capacity: chunk.count)
        bytes.append(bytes: chunk)
        postings.take(term, bytes)
    }

    /// The stop words that have another list than the postings say.
    func wrongLists() throws -> [[UInt8]] {
        guard postings.isWhole else { return [] }
        var writer = ChampionWriter(infixes, segment.lengths, leastDocuments: 0)
        let right = try writer.lists([postings])
        return segment.champions.keywords.filter {
            segment.champions.list(of: $0) != right.list(of: $0)
        }
    }
}
