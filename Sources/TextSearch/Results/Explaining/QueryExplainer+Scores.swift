extension QueryExplainer {
    /// The formula of `BM25`, operation for operation.
    func explain(_ leaf: ScoreTrace.Leaf, _ text: String) -> ScoreExplanation {
        let similarity = evaluator.similarity
        var found: Fraction?
        for part in leaf.parts {
            let one = Fraction(part, evaluator)
            found = found.map { $0.adding(one) } ?? one
        }
        guard let found, found.weighted.value > 0 else {
            return ScoreExplanation(text, value: 0, parts: found.map { [$0.weighted] } ?? [])
        }
        let count = evaluator.snapshot.count
        let idf = similarity.idf(
            documentFrequency: leaf.documentFrequency, documentCount: count)
        let factors = [
            ScoreExplanation(
                "idf: found in \(leaf.documentFrequency) of \(count) objects", value: idf),
            found.weighted,
            ScoreExplanation("k1 + 1", value: similarity.saturation.k1 + 1),
        ]
        let divisor = ScoreExplanation(
            "k1 · length normalisation", .product,
            [ScoreExplanation("k1", value: similarity.saturation.k1), found.divisor])
        return ScoreExplanation(
            text, .quotient,
            [
                ScoreExplanation("idf · frequency · (k1 + 1)", .product, factors),
                ScoreExplanation(
                    "frequency + k1 · length normalisation", .sum,
                    [ScoreExplanation("frequency", value: found.weighted.value), divisor]),
            ])
    }
}

/// How a `NormalizedFrequency` comes about.
private struct Fraction {
    private let name: String
    let weighted: ScoreExplanation
    let divisor: ScoreExplanation

    /// That of one string.
    init(_ part: ScoreTrace.Leaf.Part, _ evaluator: borrowing QueryEvaluator) {
        let field = evaluator.similarity.field(part.string)
        name =
            part.string < evaluator.fields.count
            ? evaluator.fields[part.string] : "string \(part.string)"
        let divisor = Self.lengthNormalisation(of: name, part, b: field.b)
        guard divisor.value > 0 else {
            weighted = ScoreExplanation("frequency in \(name)", value: 0, parts: [divisor])
            self.divisor = ScoreExplanation("no length normalisation of \(name)", value: 1)
            return
        }
        self.divisor = divisor
        weighted = ScoreExplanation(
            "frequency in \(name)", .product,
            [
                ScoreExplanation("field weight", value: field.weight),
                ScoreExplanation("times", value: Double(part.count)),
            ])
    }

    private init(_ name: String, _ weighted: ScoreExplanation, _ divisor: ScoreExplanation) {
        self.name = name
        self.weighted = weighted
        self.divisor = divisor
    }

    /// As `NormalizedFrequency.add` has it.
    func adding(_ other: Self) -> Self {
        let name = "\(name), \(other.name)"
        let sum = ScoreExplanation(
            "frequency in \(name), over one length normalisation", .sum,
            [
                ScoreExplanation(
                    "in \(self.name) · length normalisation of \(other.name)", .product,
                    [weighted, other.divisor]),
                ScoreExplanation(
                    "in \(other.name) · length normalisation of \(self.name)", .product,
                    [other.weighted, divisor]),
            ])
        let both = ScoreExplanation(
            "length normalisation of \(name)", .product, [divisor, other.divisor])
        guard !NormalizedFrequency.divisors.contains(both.value) else {
            return Self(name, sum, both)
        }
        return Self(
            name, ScoreExplanation("frequency in \(name), normalised", .quotient, [sum, both]),
            ScoreExplanation("no more length normalisation", value: 1))
    }

    /// What occurrences are divided by, as `StringNorm` has it.
    private static func lengthNormalisation(
        of name: String, _ part: ScoreTrace.Leaf.Part, b: Double
    ) -> ScoreExplanation {
        let text = "length normalisation of \(name)"
        guard part.averageLength > 0 else { return ScoreExplanation(text, value: 1) }
        let slope = ScoreExplanation(
            "b / average length", .quotient,
            [
                ScoreExplanation("b", value: b),
                ScoreExplanation("words on average", value: part.averageLength),
            ])
        let length = ScoreExplanation(
            "b · length / average length", .product,
            [slope, ScoreExplanation("words", value: part.length)])
        return ScoreExplanation(text, .sum, [ScoreExplanation("1 − b", value: 1 - b), length])
    }
}
