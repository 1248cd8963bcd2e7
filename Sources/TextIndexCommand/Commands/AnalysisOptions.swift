import ArgumentParser
import TextSearch

extension AnalysisChoice.Tokenizing: ExpressibleByArgument {}

/// The options that say how text is analysed.
struct AnalysisOptions: ParsableArguments {
    @Option(
        help: """
            How to cut text: unicode (words), symbols (words, symbols and emoji), code, whitespace or \
            whole (each string as one word).
            """)
    var tokenizer: AnalysisChoice.Tokenizing?

    @Option(
        help: ArgumentHelp(
            "A language to find inflected words in, by name or code; repeat it for more.",
            valueName: "language"))
    var stem: [String] = []

    @Option(
        help: ArgumentHelp(
            "Languages whose stop words count little, with commas between them, or none (default: en).",
            valueName: "codes"))
    var stopWords: String?

    var isEmpty: Bool { tokenizer == nil && stem.isEmpty && stopWords == nil }

    /// What was chosen.
    ///
    /// - Throws: ``CommandError`` for a language that is not known.
    func choice() throws -> AnalysisChoice {
        var choice = AnalysisChoice()
        choice.tokenizing = tokenizer ?? choice.tokenizing
        choice.stems = stem
        if let stopWords {
            choice.stopWords =
                stopWords == "none" ? [] : stopWords.split(separator: ",").map(String.init)
        }
        _ = try choice.analysis()
        return choice
    }
}
