import TextSearch

/// How the text of an index is analysed, as the command's options say it and the settings keep it.
struct AnalysisChoice: Codable, Equatable {
    /// How text is cut.
    enum Tokenizing: String, Codable, CaseIterable {
        case unicode, symbols, code, whitespace, whole

        var tokenizer: any Tokenizer {
            switch self {
            case .unicode: UnicodeTokenizer()
            case .symbols: UnicodeTokenizer(keepsSymbols: true)
            case .code: CodeTokenizer()
            case .whitespace: WhitespaceTokenizer()
            case .whole: WholeStringTokenizer()
            }
        }
    }

    var tokenizing = Tokenizing.unicode
    /// Languages to stem in, by the names of their stemmers.
    var stems: [String] = []
    /// Languages whose stop words count little, by their codes.
    var stopWords = ["en"]

    /// - Throws: ``CommandError`` for a language that is not known.
    func analysis() throws -> TextAnalysis {
        TextAnalysis(
            tokenizer: tokenizing.tokenizer, stopWords: try chosenStopWords(),
            stemming: .automatic(try stems.map(Self.language)))
    }

    private static func language(_ name: String) throws -> StemmerLanguage {
        if let language = StemmerLanguage(rawValue: name.lowercased()) ?? .init(code: name) {
            return language
        }
        let names = StemmerLanguage.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandError("no stems for \(Printable.line(name)); there are: \(names)")
    }

    private func chosenStopWords() throws -> StopWords {
        let known = StopWords.availableLanguages
        if let unknown = stopWords.first(where: { !known.contains($0) }) {
            throw CommandError(
                "no stop words for \(Printable.line(unknown)); there are: "
                    + known.joined(separator: ", ") + "; or none")
        }
        switch stopWords {
        case []: return .none
        case ["en"]: return .english
        default: return .languages(stopWords)
        }
    }
}
