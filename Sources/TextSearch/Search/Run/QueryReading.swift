/// How a text or query is read, over one index or several: as it is asked, by further steps, with
/// operators for signs and words of the text, and with any of its words for enough.
///
/// All searches go by these rules; who adopts them says how a query is evaluated.
protocol QueryReading: ~Copyable {
    /// What a query matches.
    associatedtype Found

    /// What is asked for. Once it is read, it holds the query as it was run.
    var request: SearchRequest { get set }

    /// What a query matches; nil where it asks for nothing.
    mutating func find(_ query: Query) throws -> Found?

    /// What a query matches that asks for nothing: its stop words, which are not indexed, are found
    /// inside other words. Nil where it has none.
    mutating func findInsideWords() throws -> Found?

    /// How many objects were found, or at least whether there are `enough`; `found` may keep that.
    func count(_ found: inout Found, enough: Int?) throws -> Int

    /// Takes step after step until there are enough results.
    mutating func climb(from first: Found) throws -> Found
}

extension QueryReading where Self: ~Copyable {
    /// What the request's query matches; nil where it has neither words nor filters.
    mutating func read() throws -> Found? {
        let asked = request.asked ?? request.query
        request.takeSteps(from: asked)
        guard let first = try find(asked) ?? findInsideWords() else { return nil }
        var found = try climbReadingSigns(from: first)
        if request.fallsBackToAny, let wider = request.query.anyInsteadOfAll,
            try count(&found, enough: 1) == 0, var any = try find(wider),
            try count(&any, enough: 1) > 0
        {
            request.fallBack(on: wider)
            return any
        }
        guard request.readings.contains(where: \.isLast), try count(&found, enough: nil) == 0
        else { return found }
        return try findPlainly(isLast: true) ?? found
    }

    /// Takes further steps. Where no step finds anything before some of the words are enough, signs
    /// that hardly mean anything else are those of the text.
    private mutating func climbReadingSigns(from first: Found) throws -> Found {
        var first = first
        guard request.readings.contains(where: { !$0.isLast }),
            try count(&first, enough: nil) == 0
        else { return try climb(from: first) }
        let steps = request.steps
        request.steps = steps.subtracting(.someWords)
        var found = try climb(from: first)
        request.steps = steps
        if try count(&found, enough: nil) > 0 { return found }
        return try findPlainly(isLast: false) ?? climb(from: first)
    }

    /// What the first of the other readings matches that matches anything.
    private mutating func findPlainly(isLast: Bool) throws -> Found? {
        for reading in request.readings where reading.isLast == isLast {
            if var found = try find(reading.query), try count(&found, enough: nil) > 0 {
                request.read(as: reading)
                return found
            }
        }
        return nil
    }
}
