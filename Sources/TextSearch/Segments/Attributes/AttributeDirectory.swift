/// Which attributes a segment has columns of, and which pages of these there are.
///
/// Stored form (`c` table, column 4): 1 where objects have more attributes than are named; the
/// number of names; for each of them the name, length first, 1 where its column is whole, the
/// number of its pages, and these, each as what lies between it and the one before.
struct AttributeDirectory: Sendable {
    struct Entry: Sendable {
        var name: String
        /// Whether the column has the values of all documents; otherwise they are read from
        /// records.
        var isWhole = true
        /// The pages that are there, ascending; a page without any value is not.
        var pages: [UInt32] = []
    }

    /// As many as have room in the keys of pages.
    static let mostNames = 4096
    /// In bytes; longer ones have no columns.
    static let longestName = 1024

    /// By the numbers of the columns.
    var entries: [Entry] = []
    var hasMore = false

    init() {}

    init(_ bytes: UnsafeRawBufferPointer) throws(MalformedData) {
        var reader = ByteReader(bytes)
        hasMore = try Self.flag(&reader)
        let count = try reader.varint(atMost: Self.mostNames)
        for _ in 0..<count {
            guard let name = String(validating: try reader.prefixed(), as: UTF8.self) else {
                throw MalformedData()
            }
            var entry = Entry(name: name, isWhole: try Self.flag(&reader))
            var next: UInt64 = 0
            for _ in 0..<(try reader.varint(atMost: reader.remaining)) {
                let page = next + UInt64(try reader.uint32())
                guard page < 1 << Key.attributePageBits else { throw MalformedData() }
                entry.pages.append(UInt32(page))
                next = page + 1
            }
            entries.append(entry)
        }
        guard reader.isAtEnd else { throw MalformedData() }
    }

    private static func flag(_ reader: inout ByteReader) throws(MalformedData) -> Bool {
        let byte = try reader.byte()
        guard byte <= 1 else { throw MalformedData() }
        return byte == 1
    }

    func encode(into output: inout Buffer<UInt8>) {
        output.append(hasMore ? 1 : 0)
        output.appendVarint(entries.count)
        for entry in entries {
            output.appendPrefixed(Array(entry.name.utf8))
            output.append(entry.isWhole ? 1 : 0)
            output.appendVarint(entry.pages.count)
            var next: UInt32 = 0
            for page in entry.pages {
                output.appendVarint(UInt64(page - next))
                next = page + 1
            }
        }
    }

    /// Where the values of an attribute are.
    enum Place {
        case column(Int)
        case records
        /// No object has it.
        case nowhere
    }

    func place(of name: String) -> Place {
        guard let number = entries.firstIndex(where: { $0.name == name }) else {
            return hasMore ? .records : .nowhere
        }
        return entries[number].isWhole ? .column(number) : .records
    }
}

extension Key {
    /// Of the number in the key of an attribute's page those of the page; the others are the
    /// attribute's number.
    static let attributePageBits = 20

    static func attributePage(
        segment: UInt32, attribute: Int, page: UInt32, into key: inout Buffer<UInt8>
    ) {
        column(
            segment: segment, column: Column.attributes,
            page: UInt32(attribute) << UInt32(attributePageBits) | page, into: &key)
    }
}
