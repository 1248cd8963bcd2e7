import Foundation

/// The generated tables, decoded and checked: whatever one of them points at is there.
struct UnicodeTableData {
    let propertyBlocks: [UInt16]
    let propertyValues: [UInt8]
    let records: [ScalarProperties]
    let foldBlocks: [UInt16]
    let foldValues: [UInt16]
    let foldPool: [UInt32]
    let compositions: [UInt32]
    let lowerCase: [UInt32]

    private static let blockCount = 0x110000 >> 7
    private static let blockSize = 128

    init() {
        let bytes: [UInt8] = Self.decode(UnicodeData.propertyRecords)
        let records = stride(from: 0, to: bytes.count - 3, by: 4).map { start in
            ScalarProperties(
                wordBreak: WordBreakClass(rawValue: bytes[start]) ?? .other,
                graphemeBreak: GraphemeBreakClass(rawValue: bytes[start + 1]) ?? .other,
                combiningClass: bytes[start + 2], flags: bytes[start + 3])
        }
        self.records = records.isEmpty ? [ScalarProperties()] : records
        let recordCount = self.records.count
        (propertyBlocks, propertyValues) = Self.trie(
            Self.decode(UnicodeData.propertyBlocks), Self.decode(UnicodeData.propertyValues)
        ) { $0 < recordCount }
        let pool: [UInt32] = Self.decode(UnicodeData.foldPool)
        foldPool = pool.isEmpty ? [0] : pool
        let poolSize = foldPool.count
        (foldBlocks, foldValues) = Self.trie(
            Self.decode(UnicodeData.foldBlocks), Self.decode(UnicodeData.foldValues)
        ) { place in
            place < pool.count && pool[Int(place)] < UInt32(poolSize - Int(place))
        }
        compositions = Self.decode(UnicodeData.compositions)
        lowerCase = Self.decode(UnicodeData.lowerCase)
    }

    /// Whether every table is there: a build with a damaged one folds nothing, and a test says so.
    var isComplete: Bool {
        records.count > 1 && propertyValues.count > Self.blockSize
            && foldValues.count > Self.blockSize && foldPool.count > 1 && compositions.count > 3
            && lowerCase.count > 2
    }

    /// The two stages of a trie, or those of an empty one where a number points at nothing.
    private static func trie<Value: FixedWidthInteger>(
        _ blocks: [UInt16], _ values: [Value], isValid: (Value) -> Bool
    ) -> ([UInt16], [Value]) {
        guard blocks.count == blockCount,
            blocks.allSatisfy({ (Int($0) + 1) * blockSize <= values.count }),
            values.allSatisfy(isValid)
        else {
            return (
                [UInt16](repeating: 0, count: blockCount), [Value](repeating: 0, count: blockSize)
            )
        }
        return (blocks, values)
    }

    static func decode<Number: FixedWidthInteger>(_ text: String) -> [Number] {
        let data = Data(base64Encoded: text) ?? Data()
        let size = MemoryLayout<Number>.size
        let count = data.count / size
        let stored = data.withUnsafeBytes { bytes in
            [Number](unsafeUninitializedCapacity: count) { numbers, initialized in
                UnsafeMutableRawBufferPointer(numbers).copyBytes(from: bytes.prefix(count * size))
                initialized = count
            }
        }
        // Every process that opens an index does this: where nothing is to be turned round, nothing is looked at.
        return Number(littleEndian: 1) == 1 ? stored : stored.map(Number.init(littleEndian:))
    }
}
