extension QueryExplainer {
    /// The formula of `BM25`, operation for operation.
    func explain(_ leaf: ScoreTrace.Leaf, _ text: String) -> ScoreExplanation {
        let similarity = evaluator.similarity
        let tf = ScoreExplanation("frequency", .sum, leaf.parts.map { frequency($0) })
        guard tf.value > 0 else { return ScoreExplanation(text, value: 0, parts: [tf]) }
        let count = evaluator.snapshot.count
        let idf = similarity.idf(
            documentFrequency: leaf.documentFrequency, documentCount: count)
        let factors = [
            ScoreExplanation(
                "idf: found in \(leaf.documentFrequency) of \(count) objects", value: idf), tf,
            ScoreExplanation("k1 + 1", value: similarity.saturation.k1 + 1),
        ]
        let saturation = [
            ScoreExplanation("frequency", value: tf.value),
            ScoreExplanation("k1", value: similarity.saturation.k1),
        ]
        return ScoreExplanation(
            text, .quotient,
            [
                ScoreExplanation("idf · frequency · (k1 + 1)", .product, factors),
                ScoreExplanation("frequency + k1", .sum, saturation),
            ])
    }

    private func frequency(_ part: ScoreTrace.Leaf.Part) -> ScoreExplanation {
        let field = evaluator.similarity.field(part.string)
        let name =
            part.string < evaluator.fields.count
            ? evaluator.fields[part.string] : "string \(part.string)"
        let relative =
            part.averageLength > 0
            ? ScoreExplanation(
                "length / average length", .quotient,
                [
                    ScoreExplanation("words", value: part.length),
                    ScoreExplanation("words on average", value: part.averageLength),
                ])
            : ScoreExplanation("length", value: 1)
        let share = ScoreExplanation(
            "length normalisation", .sum,
            [
                ScoreExplanation("1 − b", value: 1 - field.b),
                ScoreExplanation(
                    "b · length", .product, [ScoreExplanation("b", value: field.b), relative]),
            ])
        guard share.value > 0 else { return ScoreExplanation(name, value: 0, parts: [share]) }
        let weighted = [
            ScoreExplanation("field weight", value: field.weight),
            ScoreExplanation("times", value: Double(part.count)),
        ]
        return ScoreExplanation(
            name, .quotient, [ScoreExplanation("weighted", .product, weighted), share])
    }
}
