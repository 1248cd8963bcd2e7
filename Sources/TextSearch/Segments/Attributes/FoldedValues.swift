/// The texts among the values of a column, by what is left of them without case and accents.
///
/// **Thread safety**: immutable.
struct FoldedValues: Sendable {
    /// Hashes of the folded texts, ascending, and the code of each.
    private let hashes: [UInt32]
    private let codes: [UInt32]

    private static let folder = Folder()

    /// A text without what words are not told apart by.
    static func fold(_ text: String) -> [UInt8] { Array(folder.fold(text).utf8) }

    /// Complexity: linear in the values, and sorts their hashes.
    init(_ column: AttributeColumn) {
        var pairs: [UInt64] = []
        for code in 1..<(column.valueCount + 1) {
            guard case .string(let text)? = column.value(of: code) else { continue }
            pairs.append(UInt64(Self.hash(Self.fold(text))) << 32 | UInt64(code))
        }
        pairs.sort()
        hashes = pairs.map { UInt32(truncatingIfNeeded: $0 >> 32) }
        codes = pairs.map { UInt32(truncatingIfNeeded: $0) }
    }

    /// The codes of the texts that are equal to one but for what folding takes away.
    func codes(like text: String, _ column: AttributeColumn) -> [Int] {
        let wanted = Self.fold(text)
        let hash = Self.hash(wanted)
        var found: [Int] = []
        var place = hashes.firstPlace { $0 >= hash }
        while place < hashes.count, hashes[place] == hash {
            let code = Int(codes[place])
            if case .string(let own)? = column.value(of: code), Self.fold(own) == wanted {
                found.append(code)
            }
            place += 1
        }
        return found
    }

    /// FNV-1a.
    private static func hash(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(0x811c_9dc5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }
}
