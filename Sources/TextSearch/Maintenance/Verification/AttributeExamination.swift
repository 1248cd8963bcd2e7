/// What a verification has read of the attribute columns of a segment.
struct AttributeExamination {
    private let documentCount: Int
    private var directory = AttributeDirectory()
    /// The pages of each attribute that came.
    private var pageCounts: [Int] = []
    /// What the attributes of each document add up to; nothing while there are none.
    private var digests: [UInt64] = []

    init(documentCount: Int) { self.documentCount = documentCount }

    /// Whether all pages came that the directory names.
    var isWhole: Bool {
        zip(directory.entries, pageCounts).allSatisfy { $0.pages.count == $1 }
    }

    /// Takes the directory, which comes before the pages.
    mutating func addDirectory(
        _ page: Int, _ value: UnsafeRawBufferPointer
    ) throws(MalformedData) {
        guard page == 0 else { throw MalformedData() }
        directory = try AttributeDirectory(value)
        pageCounts = [Int](repeating: 0, count: directory.entries.count)
        digests = [UInt64](repeating: 0, count: documentCount)
    }

    /// Takes a page by the number in its key; pages come in order.
    mutating func addPage(
        _ number: Int, _ value: UnsafeRawBufferPointer
    ) throws(MalformedData) {
        let attribute = number >> Key.attributePageBits
        let page = number & (1 << Key.attributePageBits - 1)
        guard attribute < directory.entries.count else { throw MalformedData() }
        let entry = directory.entries[attribute]
        let place = pageCounts[attribute]
        guard place < entry.pages.count, Int(entry.pages[place]) == page else {
            throw MalformedData()
        }
        let first = page * Column.pageSize
        let count = min(Column.pageSize, documentCount - first)
        guard count > 0 else { throw MalformedData() }
        let decoded = try AttributePage(value, count: count)
        pageCounts[attribute] += 1
        guard entry.isWhole else { return }
        let name = Self.hash(entry.name)
        decoded.forEachDocument { place, values in
            digests[first + place] &+= EntryDigest.mixed(name)
            for value in values {
                digests[first + place] &+= decoded.withValue(Int(value)) { Self.digest(name, $0) }
            }
        }
    }

    /// Whether the columns say of a document what its record says.
    func holds(_ attributes: [String: AttributeValue], of document: Int) -> Bool {
        var expected: UInt64 = 0
        var scratch = Buffer<UInt8>()
        for (name, value) in attributes {
            switch directory.place(of: name) {
            case .records: continue
            case .column, .nowhere: break
            }
            let hash = Self.hash(name)
            expected &+= EntryDigest.mixed(hash)
            var seen: Set<[UInt8]> = []
            for scalar in value.scalars {
                scratch.removeAll()
                ColumnValue.append(scalar, to: &scratch)
                guard seen.insert(scratch.toArray()).inserted else { continue }
                expected &+= scratch.withElements { Self.digest(hash, $0) }
            }
        }
        return expected == (document < digests.count ? digests[document] : 0)
    }

    /// Equal for names that are equal, however they are composed; different from run to run.
    private static func hash(_ name: String) -> UInt64 {
        UInt64(truncatingIfNeeded: name.hashValue)
    }

    private static func digest(_ name: UInt64, _ value: UnsafeBufferPointer<UInt8>) -> UInt64 {
        withUnsafeBytes(of: name) { EntryDigest.of($0, UnsafeRawBufferPointer(value)) }
    }
}
