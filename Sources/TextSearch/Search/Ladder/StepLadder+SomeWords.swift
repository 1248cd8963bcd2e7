/// The queries that do not ask for all words.
extension StepLadder {
    private static func allButOne(_ count: Int) -> Int { count - 1 }
    private static func half(_ count: Int) -> Int { (count + 1) / 2 }

    /// More words are a sentence: it does not count how many of them an object has. With 7, nDCG@10
    /// of the Cranfield and CISI collections was .513 and .356 instead of .517 and .354, with stems
    /// .521 and .393 instead of .527 and .398.
    private static let mostCounted = 5

    /// Of fewer words, one says too little of a title; more are a question rather than a title.
    private static let wordsOfTitle = 3...7

    /// How many titles with all words but one may come before a step; nil where none may.
    ///
    /// If more titles have them, the words say what many objects are about, and not which one is
    /// meant. If eight of four words or more were enough, too, nDCG@10 of the CISI collection was
    /// .3539 instead of .3553, with stems .3940 instead of .3962.
    func mostTitles(before step: SearchSteps) -> Int? {
        switch step {
        case .unfinished: 1
        case .typos: words.count { !$0.isStopWord } == Self.wordsOfTitle.lowerBound ? 8 : nil
        default: nil
        }
    }

    /// The queries of the step of some words. Most of a run comes before fewer words, and all parts
    /// of joined words before fewer of them.
    func someWords(_ counted: [Word]) -> [Query] {
        let isSentence = counted.count > Self.mostCounted
        let hasRuns = counted.contains { !$0.run.isEmpty }
        var queries: [Query] = []
        if hasRuns {
            let words = counted.map {
                query(
                    for: $0, upTo: .someWords, inSentence: isSentence, leastOfRun: Self.allButOne)
            }
            queries.append(NormalForm.all(words + others))
        }
        var units: [Query] = []
        var letters: [Query] = []
        for word in counted {
            let whole = query(
                for: word, upTo: .someWords, inSentence: isSentence, leastOfRun: Self.half)
            if !word.parts.isEmpty, !isSentence || word.frequency == 0 {
                units += word.parts.map { part in
                    let part = word.part.replacingBareWord(by: NormalForm.boost(part, 0.4))
                    return NormalForm.any([whole, part])
                }
            } else if Query.isLetter(word.text) {
                letters.append(whole)
            } else {
                units.append(whole)
            }
        }
        let count = units.count + letters.count
        let hasMore = hasRuns || counted.contains { !$0.parts.isEmpty }
        // Of a sentence any words will do: which they are says more than how many.
        var least = isSentence ? [1] : [count, count - 1, (count + 1) / 2, 1]
        least.removeAll { $0 >= (hasMore ? count + 1 : count) || $0 < 1 }
        for count in least {
            if count > letters.count {
                let some = NormalForm.atLeast(count, units + letters)
                queries.append(NormalForm.all([some] + others))
            } else if !units.isEmpty {
                // Letters alone say too little.
                let bonuses = letters.map { Query(.atLeast(0, [$0])) }
                queries.append(NormalForm.all([NormalForm.any(units)] + bonuses + others))
            }
        }
        return queries
    }

    /// The query for titles with all words but one, where no word has to be a typing error since
    /// objects have each of them; nil otherwise.
    ///
    /// It is taken before words are read as beginnings or errors of others: "secret of type hints"
    /// rather means "theory of type hints" than "secrets of typing hints".
    mutating func titleQuery(_ known: inout WordVariants) throws -> Query? {
        guard steps.contains(.someWords), let titleField else { return nil }
        if !isPrepared { try prepare(&known) }
        let counted = words.filter { !$0.isStopWord }
        guard Self.wordsOfTitle.contains(counted.count),
            counted.allSatisfy({ $0.frequency > 0 && $0.isInAnyField })
        else { return nil }
        let wanted = counted.map {
            NormalForm.field(titleField, query(for: $0, upTo: .unfinished))
        }
        return NormalForm.all([NormalForm.atLeast(wanted.count - 1, wanted)] + others)
    }
}
