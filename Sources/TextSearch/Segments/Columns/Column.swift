/// One value a document, for all documents of a segment; in memory in full once asked for.
///
/// Stored form (`c` table), pages of 4,096 documents. Column 0, only where documents are missing: a
/// bit a document, low bits first, set for those that are not there. Column 1, weights: a byte of
/// form (0: one value for all, 1: single precision, 2: double precision), then bit patterns. Column
/// 2, lengths: for each document the number of its strings and the words in each, varints. Column
/// 3, identifiers, in smaller pages: see `IdentifierPage`. Columns 4 and 5, only where objects have
/// attributes: which there are, and their values: see `AttributeDirectory` and `AttributePage`.
/// Column 6, in indexes of versions before 1.0: lists of the best documents of stop words. It is no
/// longer written or read.
enum Column {
    static let pageSize = 4096
    static let missing: UInt8 = 0
    static let weights: UInt8 = 1
    static let lengths: UInt8 = 2
    static let identifiers: UInt8 = 3
    static let attributeNames: UInt8 = 4
    static let attributes: UInt8 = 5
    static let formerLists: UInt8 = 6

    /// The columns of each segment that have a value for each document, but for attributes, with
    /// the documents of a page and whether pages may be missing.
    static let all: [(column: UInt8, pageSize: Int, isOptional: Bool)] = [
        (missing, pageSize, true), (weights, pageSize, false), (lengths, pageSize, false),
        (identifiers, IdentifierPage.size, false),
    ]

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
