/// One value a document, for all documents of a segment; in memory in full once asked for.
///
/// Stored form (`c` table), pages of 4,096 documents. Column 0, only where documents are missing: a bit a document,
/// low bits first, set for those that are not there. Column 1, weights: a byte of form (0: one value for all, 1: single precision, 2: double precision), then bit
/// patterns. Column 2, lengths: for each document the number of its strings and the words in each, varints.
enum Column {
    static let pageSize = 4096
    static let missing: UInt8 = 0
    static let weights: UInt8 = 1
    static let lengths: UInt8 = 2

    static func encodeWeights(_ weights: [Double], into output: inout Buffer<UInt8>) {
        if let first = weights.first,
            weights.allSatisfy({ $0.bitPattern == first.bitPattern })
        {
            output.append(0)
            output.appendLittleEndian(first.bitPattern)
        } else if weights.allSatisfy({ Double(Float($0)).bitPattern == $0.bitPattern }) {
            output.append(1)
            for weight in weights {
                output.appendBigEndian(Float(weight).bitPattern)
            }
        } else {
            output.append(2)
            for weight in weights { output.appendLittleEndian(weight.bitPattern) }
        }
    }

    static func decodeWeights(
        _ bytes: UnsafeRawBufferPointer, count: Int, into output: inout [Double]
    ) throws(MalformedData) {
        var reader = ByteReader(bytes)
        switch try reader.byte() {
        case 0:
            let weight = Double(bitPattern: try reader.littleEndian64())
            for _ in 0..<count { output.append(weight) }
        case 1:
            for _ in 0..<count {
                output.append(Double(Float(bitPattern: try reader.bigEndian32())))
            }
        case 2:
            for _ in 0..<count {
                output.append(Double(bitPattern: try reader.littleEndian64()))
            }
        default: throw MalformedData()
        }
    }
}

/// How many words each string of each document has.
struct LengthColumn: Sendable {
    /// Where the lengths of each document end in `lengths`.
    private var ends: [UInt32] = []
    private var lengths: [UInt32] = []

    mutating func append(_ strings: some Sequence<UInt32>) {
        lengths.append(contentsOf: strings)
        ends.append(UInt32(lengths.count))
    }

    mutating func decodePage(
        _ bytes: UnsafeRawBufferPointer, count: Int
    ) throws(MalformedData) {
        var reader = ByteReader(bytes)
        for _ in 0..<count {
            for _ in 0..<(try reader.varint(atMost: reader.remaining)) {
                lengths.append(try reader.uint32())
            }
            ends.append(UInt32(lengths.count))
        }
    }

    var count: Int { ends.count }

    /// The lengths of a document's strings, in words.
    func of(_ document: Int) -> ArraySlice<UInt32> {
        lengths[(document == 0 ? 0 : Int(ends[document - 1]))..<Int(ends[document])]
    }
}
