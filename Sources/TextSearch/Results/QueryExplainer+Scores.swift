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
        let share = lengthNormalisation(part, b: field.b)
        guard share.value > 0 else { return ScoreExplanation(name, value: 0, parts: [share]) }
        let weighted = [
            ScoreExplanation("field weight", value: field.weight),
            ScoreExplanation("times", value: Double(part.count)),
        ]
        return ScoreExplanation(
            name, .quotient, [ScoreExplanation("weighted", .product, weighted), share])
    }

    /// What occurrences are divided by, as `StringNorm` has it.
    private func lengthNormalisation(
        _ part: ScoreTrace.Leaf.Part, b: Double
    ) -> ScoreExplanation {
        let name = "length normalisation"
        guard part.averageLength > 0 else { return ScoreExplanation(name, value: 1) }
        let slope = ScoreExplanation(
            "b / average length", .quotient,
            [
                ScoreExplanation("b", value: b),
                ScoreExplanation("words on average", value: part.averageLength),
            ])
        let length = ScoreExplanation(
            "b · length / average length", .product,
            [slope, ScoreExplanation("words", value: part.length)])
        return ScoreExplanation(name, .sum, [ScoreExplanation("1 − b", value: 1 - b), length])
    }
}
