import Foundation
import PowerCuts
import TextSearch

/// What the tests index.
struct Note: Sendable, Equatable {
    var identifier: String
    var title: String
    var body: String
    var cuisine: String
    var minutes: Int
    var shelf: String
    var weight: Double = 0

    var strings: [String] { [title, body] }

    var indexed: IndexedObject {
        IndexedObject(
            strings: strings, weight: weight, context: [:],
            attributes: [
                "cuisine": .string(cuisine), "minutes": .number(Double(minutes)),
                "shelf": .string(shelf),
            ])
    }
}

extension Note {
    /// Words of several scripts, some that begin like others.
    static let words = [
        "duck", "ducks", "goose", "peking", "pekinese", "whale", "white", "sea", "roast", "naïve",
        "Ærø",
        "straße", "北京烤鸭", "鸭子", "بطة", "مشوية", "ворона", "👩‍👩‍👧 cook", "e\u{301}clair", "<b>bold</b>",
        "\"quote\\",
    ]

    /// So many notes, the same ones for the same seed.
    static func random(count: Int, seed: UInt64) -> [Note] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { random($0, &generator) }
    }

    static func random(
        _ number: Int, _ generator: inout SeededGenerator
    ) -> Note {
        func text(_ count: Int) -> String {
            (0..<count).map { _ in words.randomElement(using: &generator) ?? "" }
                .joined(separator: " ")
        }
        return Note(
            identifier: "note \(number)", title: text(Int.random(in: 0...3, using: &generator)),
            body: text(Int.random(in: 1...40, using: &generator)),
            cuisine: ["french", "dark \"blue\"", "中国", "a:b"].randomElement(using: &generator)
                ?? "",
            minutes: Int.random(in: 0...100, using: &generator),
            shelf: ["meat/duck", "meat", "meat0", "fish/sea"].randomElement(using: &generator)
                ?? "",
            weight: Double(Int.random(in: 0...3, using: &generator)))
    }
}
