/// How the words that a query asks for were scored for one document, word for word in the order of
/// evaluation.
struct ScoreTrace {
    /// What a word, or a group of words that counts as one, was scored by.
    struct Leaf {
        /// One string of the document.
        struct Part {
            var string: Int
            var count: Int
            var length: Double
            var averageLength: Double
        }

        var documentFrequency = 0
        /// Empty when the document does not have it.
        var parts: [Part] = []
    }

    private(set) var leaves: [Leaf] = []

    mutating func begin() { leaves.append(Leaf()) }

    mutating func add(_ string: UInt32, count: Int, length: Double, average: Double) {
        leaves[leaves.count - 1].parts.append(
            Leaf.Part(string: Int(string), count: count, length: length, averageLength: average))
    }

    mutating func end(documentFrequency: Int) {
        leaves[leaves.count - 1].documentFrequency = documentFrequency
    }
}
