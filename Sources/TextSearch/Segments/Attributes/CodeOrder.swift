/// The documents of a segment in the order of an attribute's codes, those without a value last;
/// equal ones ascend.
struct CodeOrder: Sendable {
    private let documents: [UInt32]
    /// Where those begin that have no value.
    private let valuesEnd: Int

    /// Complexity: linear in the documents and codes. Takes 4 bytes a document, and 8 bytes a code
    /// while it is made.
    init(_ column: AttributeColumn) {
        var starts = [Int](repeating: 0, count: column.codeCount + 1)
        for document in 0..<column.documentCount { starts[column.code(of: document) + 1] += 1 }
        // Code 0 is that of no value.
        valuesEnd = column.documentCount - starts[1]
        starts[0] = valuesEnd
        starts[1] = 0
        for code in 1..<column.codeCount { starts[code + 1] += starts[code] }
        var documents = [UInt32](repeating: 0, count: column.documentCount)
        for document in 0..<column.documentCount {
            let code = column.code(of: document)
            documents[starts[code]] = UInt32(truncatingIfNeeded: document)
            starts[code] += 1
        }
        self.documents = documents
    }

    /// The first of those that bits have, as many as are asked for or there are.
    ///
    /// Complexity: linear in those that come before the last of them, and logarithmic in all for
    /// each value where the greatest come first.
    func first(
        _ count: Int, of bits: FilterBits, _ column: AttributeColumn, isAscending: Bool
    ) -> [Int] {
        var found: [Int] = []
        func take(_ places: Range<Int>) {
            for place in places {
                guard found.count < count else { return }
                if bits.contains(documents[place]) { found.append(Int(documents[place])) }
            }
        }
        if isAscending {
            take(0..<documents.count)
            return found
        }
        var end = valuesEnd
        while end > 0, found.count < count {
            let code = column.code(of: Int(documents[end - 1]))
            let start = (0..<end).firstPlace { column.code(of: Int(documents[$0])) >= code }
            take(start..<end)
            end = start
        }
        take(valuesEnd..<documents.count)
        return found
    }
}
