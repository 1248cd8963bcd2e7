import Foundation
import PowerCuts
import TextSearch

@testable import TextIndexServer

/// Searches of all kinds, as bodies of `/v1/search`.
struct RandomAsking {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private mutating func word() -> String { Note.words.randomElement(using: &generator) ?? "" }

    private mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    /// A word with a letter too many or too few.
    private mutating func mistyped() -> String {
        var letters = Array(word())
        let place = number(0...letters.count - 1)
        if letters.count > 3, number(0...1) == 0 {
            letters.remove(at: place)
        } else {
            letters.insert("x", at: place)
        }
        return String(letters)
    }

    private mutating func text() -> String {
        switch number(0...11) {
        case 0, 1: word()
        case 2, 3: "\(word()) \(word())"
        case 4: "\(word()) \(word()) \(word())"
        case 5: "\"\(word()) \(word())\""
        case 6: String(word().prefix(2)) + "*"
        case 7: "\(word()) OR \(word())"
        case 8: "\(word()) -\(word())"
        case 9: "\(mistyped()) \(word())"
        case 10: "title:\(word()) \(word())"
        default: "nothing \(mistyped()) \(word()) \(word())"
        }
    }

    /// A text of one of nine kinds: one word or more, with a stop word, any words, a phrase, a
    /// prefix, an infix, and a typing error.
    mutating func text(ofKind kind: Int) -> String {
        switch kind % 9 {
        case 0: word()
        case 1: "\(word()) \(word())"
        case 2: "\(word()) the"
        case 3: "\(word()) OR \(word())"
        case 4: (0..<number(3...5)).map { _ in word() }.joined(separator: " OR ")
        case 5: "\"\(word()) \(word())\""
        case 6: String(word().prefix(2)) + "*"
        case 7: "*\(word().dropFirst().prefix(2))*"
        default: mistyped()
        }
    }

    private mutating func typed() -> JSON {
        let (a, b) = (word(), word())
        let query: Query =
            switch number(0...6) {
            case 0: .term(a)
            case 1: .all(of: [.term(a), .term(b)])
            case 2: .any(of: [.term(a), .boost(.prefix(String(b.prefix(2))), 3)])
            case 3: .first(of: [.term(a), .prefix(String(a.prefix(1))), .term(b)])
            case 4: .all(of: [.term(a), .filter(.attribute("minutes", .less(60)))])
            case 5: .constantScore(.infix(String(a.prefix(2))), 2)
            default: .all(of: [.term(a), .none(of: [.term(b)])])
            }
        return .encoded(Array((try? JSONEncoder().encode(query)) ?? Data()))
    }

    /// What to count, as members of a body.
    mutating func counting() -> [(name: String, value: JSON)] {
        let facets = (0..<number(1...3)).map { _ in
            [
                "cuisine", "minutes", "minutes:10", "minutes:..20,20..60,10..,20..60", "shelf:/",
                "shelf:/meat", "shelf", "nobody", "cuisine:..b,b..", "cuisine:or",
                "minutes:10:or", "shelf:/:or",
            ].randomElement(using: &generator) ?? ""
        }
        var members: [(name: String, value: JSON)] = [
            ("facet", .array(facets.map { .string($0) }))
        ]
        if number(0...1) == 0 { members.append(("facetLimit", .int(number(0...4)))) }
        return members
    }

    /// A body.
    mutating func next() -> JSON {
        var members: [(name: String, value: JSON)] = []
        if number(0...4) == 0 {
            members.append(("query", typed()))
        } else {
            members.append(("q", .string(text())))
            switch number(0...7) {
            case 0: members.append(("mode", "keyword"))
            case 1: members.append(("mode", "lenient"))
            case 2: members.append(("lastWordIsPrefix", true))
            case 3: members.append(("steps", "exact"))
            case 4: members.append(("steps", "exact,typos,someWords"))
            default: break
            }
        }
        switch number(0...6) {
        case 0: members.append(("sort", "minutes:desc,relevance"))
        case 1: members.append(("sort", "cuisine,minutes"))
        case 2: members.append(("rank", "weight"))
        case 3: members.append(("rank", "combined"))
        default: break
        }
        if number(0...4) == 0 { members.append(("filter", "minutes:>40")) }
        if number(0...6) == 0 { members.append(("field", "body")) }
        if number(0...5) == 0 { members.append(("minimumScore", .number(0.5))) }
        if number(0...3) == 0 { members.append(("offset", .int(number(0...30)))) }
        members.append(("limit", .int(number(0...4) == 0 ? 120 : number(0...12))))
        if number(0...2) > 0 { members.append(("snippets", 0)) }
        return .object(members)
    }
}
