/// The words of a query that none of the indexes has.
extension FederatedRun {
    /// So many words that one of several indexes lacks are told: most of them others have.
    private static var mostToldWords: Int { 16 }

    private var knowsParts: Bool { request.steps.contains(.variants) }

    private func unknownWords(most: Int) throws -> [UnknownWord] {
        let words = UnknownWords(
            zip(snapshots, indexes).map { ($0, $1.store) }, snapshots[0].analyzer,
            clock: clocks[0], knowsParts: knowsParts, request.findings)
        return try words.unknown(
            of: asked, text: request.text, fields: indexes[0].configuration.fields,
            known: MatchedTerms(), most: most)
    }

    /// Reports words that are nowhere in the indexes: at once where nothing was found, else when
    /// somebody asks.
    mutating func checkWords(hasMatches: Bool) {
        // What was not looked for is not unknown.
        guard request.checksWords, !clocks.contains(where: \.isSpent) else { return }
        request.checksWords = false
        guard request.text != nil, !hasMatches else {
            let check = WordCheck(
                asked, text: request.text, fields: indexes[0].configuration.fields,
                zip(snapshots, indexes).map { ($0, $1.store) },
                request.budget.within(clocks[0].timeToShow), memory: clocks[0].memory.limit,
                knowsParts: knowsParts, request.findings)
            for index in indexes { index.pendingDetails.add(check) }
            request.wordCheck = check
            return
        }
        let found = (try? unknownWords(most: UnknownWords.largestWordCount)) ?? []
        for word in found { request.diagnostics.append(word.diagnostic) }
        request.remarkOnKinds(of: asked, snapshots, clocks[0])
        guard request.diagnostics.isEmpty else { return }
        request.append(
            .noMatch,
            snapshots.allSatisfy { $0.count == 0 }
                ? "Nothing is indexed." : "No object matches the whole query.")
    }

    /// Finds the words that the only index lacks, where others may lack them too; nil where there
    /// is no time to find them.
    func wordsToTell(_ statistics: QueryStatistics) -> @Sendable () -> [UnknownWord]? {
        guard request.checksWords, statistics.lacksWords else { return { [] } }
        let (snapshot, store) = (snapshots[0], indexes[0].store)
        let (budget, memory) = (request.budget.within(clocks[0].timeToShow), clocks[0].memory.limit)
        let (asked, text, knowsParts) = (asked, request.text, knowsParts)
        let (fields, most) = (indexes[0].configuration.fields, Self.mostToldWords)
        let findings = request.findings
        return {
            let words = UnknownWords(
                snapshot: snapshot, store: store,
                clock: SearchClock(budget, longest: nil, memory: memory), knowsParts: knowsParts,
                findings)
            return try? words.unknown(
                of: asked, text: text, fields: fields, known: MatchedTerms(), most: most)
        }
    }
}
