import TextIndexInterface
import TextSearch

extension SearchService {
    /// Answers a text while it is typed. The text before it in the same session is not answered any
    /// more.
    func type(_ exchange: Exchange) async throws -> Answer {
        var arguments = try await arguments(of: exchange)
        let deadline = try deadline(&arguments, exchange)
        guard let name = try arguments.text("session"), Self.isSessionName(name) else {
            throw Problem.invalid(
                "session", "session must be 1 to 64 letters, digits, - and _ of your choice.")
        }
        let index = try index(&arguments)
        let showing = try ShowingParameters(&arguments)
        guard let text = try arguments.text("q", upTo: Longest.query) else {
            throw Problem.invalid("q", "Give the text as q.")
        }
        let composing = try composedPart(of: text, &arguments)
        var options = TypingOptions()
        options.limit = try arguments.int("limit", in: 0...limits.pageLength) ?? 10
        options.fields = try arguments.text("field", upTo: Longest.name).map { [$0] } ?? []
        let filter = try arguments.text("filter", upTo: Longest.query)
        let isLearned = try arguments.bool("learned")
        try arguments.finish()

        let typing = try session(
            SearchService.Typist(client: exchange.client, session: name), index, options, filter,
            isLearned: isLearned)
        let (session, served) = (typing.session, typing.served)
        // From here on the text before is needless: it ends even while this one waits.
        let answers = session.answers(
            to: text, composing: composing, within: max(deadline.wanted - .now, .milliseconds(1)))
        try await gate.enter(exchange.client, until: deadline.last)
        defer { gate.leave(exchange.client) }
        var iterator = answers.makeAsyncIterator()
        guard let results = try await iterator.next() else { throw Problem.superseded }
        let page = ResultPage(results)
        let bytes = try await gate.onThread {
            try page.json(
                HitRenderer(
                    served: served, showing: showing, limits: self.limits, times: deadline),
                text: text
            ).bytes
        }
        return Answer(type: "application/json", bytes: bytes)
    }

    /// The session of a client, made anew where it asks for something else than before or the index
    /// is a newer one.
    private func session(
        _ typist: Typist, _ index: CurrentIndex<Object>, _ options: TypingOptions,
        _ filter: String?, isLearned: Bool
    ) throws -> Typing {
        let served = index.served
        try served.check(field: options.fields.first)
        let key = [
            index.name, "\(options.limit)", options.fields.first ?? "", filter ?? "",
            "\(isLearned)",
        ].joined(separator: "\u{0}")
        if let kept = typing.value(for: typist), kept.key == key,
            kept.served.index === served.index
        {
            return kept
        }
        var options = options
        options.parser = served.parser
        options.ranking = isLearned ? served.ranking.learning() : served.ranking
        options.filter = filter.map { served.parser.parse($0).query }
        let made = Typing(
            session: served.index.makeTypingSession(options), key: key, served: served)
        for old in typing.keep(made, for: typist) { old.session.cancel() }
        return made
    }

    private static func isSessionName(_ name: String) -> Bool {
        (1...64).contains(name.utf8.count)
            && name.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// The part of the text that an input method still composes, in UTF-16 code units.
    private func composedPart(
        of text: String, _ arguments: inout Arguments
    ) throws -> Range<String.Index>? {
        let length = text.utf16.count
        let start = try arguments.int("composingFrom", in: 0...length)
        let end = try arguments.int("composingTo", in: 0...length)
        guard start != nil || end != nil else { return nil }
        guard let start, let end, start <= end else {
            throw Problem.invalid("composingTo", "composingFrom and composingTo must be a range.")
        }
        let lower = text.utf16.index(text.startIndex, offsetBy: start)
        let upper = text.utf16.index(lower, offsetBy: end - start)
        return lower..<upper
    }
}
