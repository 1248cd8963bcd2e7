/// The words of some flushed segments that begin with a prefix, each with how often it stands in
/// which strings.
///
/// For a longer prefix nothing has to be read: its words are neighbours among these.
///
/// **Thread safety**: an immutable value, once it is collected.
struct TypedWords: Sendable {
    /// More than this is not kept: 8 bytes each.
    private static let most = 1 << 19

    private struct Entry {
        var slot: UInt32
        var count: UInt32
    }

    /// A term in a segment. Those of a term stand side by side, terms in order.
    private struct Run {
        var start: Int
        var length: Int
        var segment: UInt32
        var firstEntry: Int
    }

    private let prefix: [UInt8]
    private let segments: Set<UInt32>
    private var bytes: [UInt8] = []
    private var runs: [Run] = []
    private var entries: [Entry] = []
    /// Whether there were more than are kept.
    private(set) var isTooLarge = false

    /// The bytes of memory held.
    var byteCount: Int {
        bytes.capacity + runs.capacity * MemoryLayout<Run>.stride
            + entries.capacity * MemoryLayout<Entry>.stride
    }

    init(prefix: [UInt8], segments: [UInt32]) {
        self.prefix = prefix
        self.segments = Set(segments)
    }

    // MARK: Collecting

    /// Begins with a term in a segment.
    mutating func begin(_ term: UnsafeBufferPointer<UInt8>, segment: UInt32) {
        guard !isTooLarge else { return }
        runs.append(
            Run(
                start: bytes.count, length: term.count, segment: segment, firstEntry: entries.count)
        )
        bytes.append(contentsOf: term)
    }

    /// Adds a string that the term stands in.
    @inline(__always)
    mutating func add(_ slot: UInt32, _ count: UInt32) {
        guard !isTooLarge else { return }
        entries.append(Entry(slot: slot, count: count))
        if entries.count > Self.most { discard() }
    }

    private mutating func discard() {
        isTooLarge = true
        bytes = []
        runs = []
        entries = []
    }

    // MARK: Narrowing

    /// Whether all words of some segments that begin with `longer` are among these.
    func covers(_ longer: [UInt8], _ wanted: [UInt32]) -> Bool {
        !isTooLarge && longer.starts(with: prefix) && wanted.allSatisfy(segments.contains)
    }

    /// Calls `body` with what the words that begin with `longer` add to strings of segments.
    ///
    /// Complexity: logarithmic in the words; linear in what is added.
    func forEach(
        beginningWith longer: [UInt8],
        term: (_ segment: UInt32) -> Void,
        entry: (_ segment: UInt32, _ slot: UInt32, _ count: UInt32) -> Void
    ) {
        bytes.withUnsafeBufferPointer { bytes in
            longer.withUnsafeBufferPointer { longer in
                func text(_ run: Int) -> UnsafeBufferPointer<UInt8> {
                    UnsafeBufferPointer(
                        rebasing: bytes[runs[run].start..<(runs[run].start + runs[run].length)])
                }
                var run = runs.indices.firstPlace { TermOrder.compare(text($0), longer) >= 0 }
                while run < runs.count, text(run).starts(with: longer) {
                    term(runs[run].segment)
                    let end = run + 1 < runs.count ? runs[run + 1].firstEntry : entries.count
                    for place in runs[run].firstEntry..<end {
                        entry(runs[run].segment, entries[place].slot, entries[place].count)
                    }
                    run += 1
                }
            }
        }
    }
}
