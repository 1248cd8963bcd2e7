import Foundation
import Testing

/// One case of the files in `Fixtures/languages`; the README there has the format.
struct LanguageCase: Sendable {
    var file: String
    var line: Int
    var language: String
    var text: String
    var keyword: String
    /// What is to be highlighted, in text order; nil when the text must not be found.
    var pieces: [String]?
    /// Whether the index is known to give something else.
    var isKnownDifference: Bool

    var place: String { "\(file):\(line)" }
    var identifier: Data { Data(String(line).utf8) }
}

/// A line that is no case, said for those who wrote it.
struct LanguageFileError: Error, CustomStringConvertible {
    var description: String
}

/// The files in `Fixtures/languages`.
enum LanguageFixture {
    static let files: [String] = {
        guard let folder = Bundle.module.url(forResource: "Fixtures", withExtension: nil),
            let names = try? FileManager.default.contentsOfDirectory(
                atPath: folder.appending(path: "languages").path)
        else { return [] }
        return names.filter { $0.hasSuffix(".txt") }.sorted()
    }()

    static func cases(of file: String) throws -> [LanguageCase] {
        let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        let text = try String(
            contentsOf: folder.appending(path: "languages").appending(path: file), encoding: .utf8)
        return try parse(text, file: file)
    }

    static func parse(_ text: String, file: String) throws(LanguageFileError) -> [LanguageCase] {
        var cases: [LanguageCase] = []
        var language: String?
        // By bytes, here and below: strings are equal however they are composed.
        var places: [[UInt8]: Int] = [:]
        // By scalars: a mark after a separator would be one character with it.
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, scalars) in lines.enumerated() {
            let number = index + 1
            var line = String(trimming: scalars)
            if line.isEmpty || line.utf8.starts(with: "#".utf8) { continue }
            if line.utf8.starts(with: "@".utf8) {
                language = try Self.language(line, "\(file):\(number)")
                continue
            }
            guard let language else {
                throw .init(description: "\(file):\(number): a case before any @language.")
            }
            let isKnownDifference = line.utf8.starts(with: "! ".utf8)
            if isKnownDifference { line.unicodeScalars.removeFirst(2) }
            let new = try Self.case(line, file, number, language, isKnownDifference)
            let key = Array(new.text.utf8) + [0] + Array(new.keyword.utf8)
            if let old = places.updateValue(number, forKey: key) {
                throw .init(description: "\(file):\(number): the same as line \(old).")
            }
            cases.append(new)
        }
        return cases
    }

    private static func language(
        _ line: String, _ place: String
    ) throws(LanguageFileError) -> String {
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0] == "@language" else {
            throw .init(description: "\(place): no such directive: \(line)")
        }
        return String(words[1])
    }

    private static func `case`(
        _ line: String, _ file: String, _ number: Int, _ language: String, _ isKnown: Bool
    ) throws(LanguageFileError) -> LanguageCase {
        let fields = line.unicodeScalars.split(separator: "|", omittingEmptySubsequences: false)
            .map { unescaped(String(trimming: $0)) }
        guard fields.count == 3, !fields.contains("") else {
            throw .init(
                description: "\(file):\(number): wanted text | keyword | matched pieces: \(line)")
        }
        var new = LanguageCase(
            file: file, line: number, language: language, text: fields[0], keyword: fields[1],
            isKnownDifference: isKnown)
        if fields[2] != "-" {
            let pieces = fields[2].split(separator: " ; ").map(String.init)
            for piece in pieces where new.text.utf8.firstRange(of: Array(piece.utf8)) == nil {
                throw .init(
                    description: "\(file):\(number): “\(piece)” does not stand in the text.")
            }
            new.pieces = pieces
        }
        return new
    }

    /// `\u{…}` stands for a scalar.
    private static func unescaped(_ text: String) -> String {
        text.replacing(/\\u\{([0-9a-fA-F]+)\}/.matchingSemantics(.unicodeScalar)) { match in
            let scalar = UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init)
            return scalar.map { String(Character($0)) } ?? String(match.0)
        }
    }
}

extension String {
    /// The text without spaces at its ends.
    fileprivate init(trimming scalars: Substring.UnicodeScalarView) {
        let isBlank = { (scalar: Unicode.Scalar) in " \t\r".unicodeScalars.contains(scalar) }
        var rest = scalars.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        self.init(rest)
    }

    /// The text with what cannot be seen written out, so that two that differ look different.
    var escaped: String {
        unicodeScalars.reduce(into: "") { shown, scalar in
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .enclosingMark, .format, .control, .unassigned:
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
    }
}

extension [String] {
    var escaped: [String] { map(\.escaped) }
}
