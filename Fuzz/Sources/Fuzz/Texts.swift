import Foundation

@testable import TextSearch

/// Query text: every text is a query, and reading it says where it means what.
func fuzzQuery(_ input: UnsafeRawBufferPointer) {
    let text = String(decoding: input, as: UTF8.self)
    let parser = QueryParser(fields: ["title", "body"]) { $0.hasPrefix("a") }
    let parsed = parser.parse(text)
    for diagnostic in parsed.diagnostics {
        precondition(diagnostic.range(in: text) != nil, "a diagnostic outside the text")
    }
    precondition(parser.parse(text).query == parsed.query, "two readings of one text")
}

/// Analysis: words come in order and lie within the text; the index has the terms that are shown.
func fuzzAnalysis(_ input: UnsafeRawBufferPointer) {
    guard let first = input.first else { return }
    let text = String(decoding: input.dropFirst(), as: UTF8.self)
    var configuration = TextIndexConfiguration()
    switch first % 4 {
    case 1: configuration.analysis = TextAnalysis(tokenizer: CodeTokenizer())
    case 2: configuration.analysis = TextAnalysis(stemming: .language(.french))
    case 3: configuration.analysis = TextAnalysis(tokenizer: UnicodeTokenizer(keepsSymbols: true))
    default: break
    }
    let analyzer = Analyzer(configuration)
    var last = text.startIndex
    for word in analyzer.analyses[0].analyze(text, language: nil, asQuery: false) {
        precondition(word.range.lowerBound >= last, "words out of order")
        precondition(word.range.upperBound <= text.endIndex)
        precondition(word.term.utf8.count <= 255)
        last = word.range.lowerBound
    }
    let segment = MemorySegment.analysing(
        [([1], IndexedObject(strings: [text]))], analyzer, textByteCount: 0)
    segment.documents.withRecord(of: 0) { record in
        guard (try? ObjectRecord(UnsafeRawBufferPointer(record))) != nil else {
            preconditionFailure("a record that cannot be read back")
        }
    }
}

/// A line of JSON: it is read, or the place of what is wrong with it lies within it.
func fuzzLines(_ input: UnsafeRawBufferPointer) {
    var scanner = JSONScanner(Array(input))
    do {
        let members = try scanner.object(keeping: ["id", "title", "body", "stars"])
        precondition(members.count <= 4)
    } catch {
        precondition((1...(input.count + 1)).contains(error.column), "a place outside the line")
    }
}
