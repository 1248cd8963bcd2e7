import Foundation
import Testing

@testable import TestSupport
@testable import TextSearch

/// Files of cases that lie beside the tests.
enum AnalysisFixture {
    static func lines(_ name: String) throws -> [String] {
        let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
        return text.split(separator: "\n", omittingEmptySubsequences: true).map(String.init)
    }

    /// The cases of a break test of the Unicode Character Database: scalars, and before which of
    /// them (and whether at the end) there is a boundary.
    static func breakTests(_ name: String) throws -> [BreakTest] {
        try lines(name).compactMap { line in
            let body = line.prefix { $0 != "#" }
            let parts = body.split { $0 == " " || $0 == "\t" }
            guard !parts.isEmpty else { return nil }
            var test = BreakTest(text: "", boundaries: [])
            for part in parts {
                switch part {
                case "÷": test.boundaries.insert(test.text.utf8.count)
                case "×": break
                default:
                    let scalar = try #require(UInt32(part, radix: 16).flatMap(Unicode.Scalar.init))
                    test.text.unicodeScalars.append(scalar)
                }
            }
            return test
        }
    }
}

struct BreakTest {
    var text: String
    /// UTF-8 offsets.
    var boundaries: Set<Int>
}

/// Draws texts.
struct AnalysisRandom: RandomNumberGenerator {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    mutating func next() -> UInt64 { generator.next() }

    /// A string of `length` scalars out of `alphabet`.
    mutating func string(of alphabet: [Unicode.Scalar], length: Int) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<length {
            if let scalar = alphabet.randomElement(using: &self) { text.append(scalar) }
        }
        return String(text)
    }
}

/// Every scalar that Unicode gives a meaning.
enum AssignedScalars {
    static let all: [Unicode.Scalar] = (0..<0x110000 as Range<UInt32>).compactMap { number in
        guard let scalar = Unicode.Scalar(number) else { return nil }
        switch scalar.properties.generalCategory {
        case .unassigned, .privateUse: return nil
        default: return scalar
        }
    }
}

extension String {
    /// The UTF-8 of the string, for the functions that take unsafe buffers.
    func withBytes<R>(_ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
        try Array(utf8).withUnsafeBufferPointer(body)
    }

    /// The string as numbers, for messages.
    var scalarNumbers: String {
        unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ")
    }
}

extension AnalysisRandom {
    /// Short texts of letters, marks and what else may change a fold, with the seed that gives
    /// each.
    static func texts(count: UInt64) -> [(seed: UInt64, text: String)] {
        let combining = AssignedScalars.all.filter {
            $0.properties.generalCategory == .nonspacingMark
                || $0.properties.generalCategory == .spacingMark
        }
        let indic = (0x900..<0xe00 as Range<UInt32>).compactMap(Unicode.Scalar.init)
            .filter { $0.properties.generalCategory != .unassigned }
        let jamo = (0x1100..<0x1200 as Range<UInt32>).compactMap(Unicode.Scalar.init)
        return (1...count).map { seed in
            var random = AnalysisRandom(seed: seed)
            let alphabet: [Unicode.Scalar] =
                switch seed % 5 {
                case 0: AnalysisAlphabet.all
                case 1: AnalysisAlphabet.letters + combining
                case 2: indic
                case 3: jamo + AnalysisAlphabet.invisible + AnalysisAlphabet.letters
                default: AssignedScalars.all
                }
            let length = Int.random(in: 1...12, using: &random)
            return (seed, random.string(of: alphabet, length: length))
        }
    }
}
