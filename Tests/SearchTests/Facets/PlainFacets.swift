import Foundation

@testable import TestSupport
@testable import TextSearch

/// A small object with attributes.
struct FacetNote: Sendable {
    var id: Int
    var text: String
    var weight = 0.0
    var attributes: [String: AttributeValue] = [:]

    static func identifier(_ id: Int) -> Data { Data("note\(id)".utf8) }
    var identifier: Data { Self.identifier(id) }

    var indexed: IndexedObject {
        IndexedObject(strings: [text], weight: weight, attributes: attributes)
    }

    static let words = ["duck", "goose", "swan", "heron"]
    static let names = ["kind", "price", "when", "path", "mixed", "rare"]

    static func random(_ id: Int, _ generator: inout SeededGenerator) -> FacetNote {
        var note = FacetNote(id: id, text: "")
        note.text = (0..<generator.int(1...5)).map { _ in generator.element(words) }
            .joined(separator: " ")
        note.weight = Double(generator.int(0...3))
        guard !generator.once(in: 6) else { return note }
        for name in names where !generator.once(in: name == "rare" ? 1 : 4) || generator.once(in: 9)
        {
            note.attributes[name] = value(of: name, &generator)
        }
        return note
    }

    private static func value(
        of name: String, _ generator: inout SeededGenerator
    ) -> AttributeValue {
        if generator.once(in: 5) {
            return .array(
                (0..<generator.int(0...4)).map { _ in
                    generator.once(in: 5)
                        ? .array([scalar(of: name, &generator), scalar(of: name, &generator)])
                        : scalar(of: name, &generator)
                })
        }
        return scalar(of: name, &generator)
    }

    private static func scalar(
        of name: String, _ generator: inout SeededGenerator
    ) -> AttributeValue {
        switch name {
        case "price": return number(&generator)
        case "when": return date(&generator)
        case "path":
            let parts = (0..<generator.int(1...4)).map { _ in
                generator.element(["a", "b", "", "é"])
            }
            return .string(parts.joined(separator: "::"))
        case "mixed", "rare":
            switch generator.int(0...4) {
            case 0: return .bool(generator.once(in: 2))
            case 1: return number(&generator)
            case 2: return date(&generator)
            default: return string(&generator)
            }
        default: return string(&generator)
        }
    }

    private static func string(_ generator: inout SeededGenerator) -> AttributeValue {
        // Two of them are equal, however they are composed.
        .string(
            generator.element([
                "", "a", "b", "é", "e\u{301}", "東京", "a longer value than fits", "\0", "b\u{0}c",
            ]))
    }

    private static func number(_ generator: inout SeededGenerator) -> AttributeValue {
        .number(
            generator.element([
                0, -0.0, 1, 2.5, -2.5, 0.1, 0.3, 1e300, -1e300, .infinity, -.infinity, .nan,
                -.nan, .leastNonzeroMagnitude, Double(generator.int(-50...50)) / 4,
            ]))
    }

    private static func date(_ generator: inout SeededGenerator) -> AttributeValue {
        let day = 86_400.0
        return .date(
            Date(
                timeIntervalSinceReferenceDate: generator.element([
                    0, -1, day, 366 * day - 0.5, Double(generator.int(-4000...9000)) * day / 3,
                    Double(generator.int(0...2000)) * 3600,
                ])))
    }
}

// MARK: - What is counted

extension FacetNote {
    /// A facet of any kind, but for automatic ranges.
    static func facet(_ generator: inout SeededGenerator) -> Facet {
        var facet: Facet
        let name = generator.element(names + ["nobody"])
        switch generator.int(0...4) {
        case 0, 1: facet = .values(of: name)
        case 2:
            facet = .levels(
                of: generator.element(["path", "kind"]), separator: "::",
                below: generator.element([nil, "a", "e\u{301}", "", "a::b", "b::", "c"]))
        case 3:
            facet = .ranges(
                of: generator.element(["price", "mixed", "when"]),
                (0..<generator.int(0...4)).map { _ in range(&generator) })
        default:
            let zone = generator.element(["GMT", "Europe/Berlin", "Asia/Kathmandu"])
            facet =
                generator.once(in: 2)
                ? .histogram(
                    of: generator.element(["price", "mixed"]),
                    every: generator.element([0.1, 1, 10]),
                    from: generator.element([0, 0.3]))
                : .dates(
                    of: generator.element(["when", "mixed"]),
                    every: generator.element(FacetPeriod.allCases),
                    in: TimeZone(identifier: zone) ?? .gmt)
        }
        facet.limit = generator.element([0, 1, 3, .max])
        return facet
    }

    private static func range(_ generator: inout SeededGenerator) -> FacetRange {
        let bound: (inout SeededGenerator) -> AttributeValue? = { generator in
            generator.element([
                nil, .number(0), .number(2.5), .number(.nan), .string("b"), .bool(true),
                .date(Date(timeIntervalSinceReferenceDate: 86_400)),
            ])
        }
        return FacetRange(from: bound(&generator), to: bound(&generator))
    }
}

/// Counts facets as they are described, over all objects that are found, in their order.
struct PlainFacets {
    /// The results of a search, best first.
    var found: [FacetNote]

    struct Bucket {
        var key: FacetKey
        /// The objects, best first.
        var ids: [Int]
    }

    func values(_ note: FacetNote, _ facet: Facet) -> [AttributeValue] {
        note.attributes[facet.attribute]?.scalars ?? []
    }

    func objectCount(_ facet: Facet) -> Int {
        found.filter { !values($0, facet).isEmpty }.count
    }

    /// All buckets, in the order that the facet asks for.
    func buckets(_ facet: Facet) -> [Bucket] {
        var buckets: [Bucket] = []
        if case .ranges(let ranges) = facet.kind {
            buckets = ranges.map { Bucket(key: .range($0), ids: []) }
            for note in found {
                for (place, range) in ranges.enumerated()
                where values(note, facet).contains(where: { Self.lies($0, in: range) }) {
                    buckets[place].ids.append(note.id)
                }
            }
            // Equal ranges are buckets of their own, in the order in which they were given.
            let order = buckets.indices.sorted {
                precedes(buckets[$0], buckets[$1], facet)
                    || ($0 < $1
                        && !precedes(buckets[$1], buckets[$0], facet))
            }
            return order.map { buckets[$0] }
        }
        for note in found {
            var own: [FacetKey] = []
            for value in values(note, facet) {
                if let key = Self.key(of: value, facet), !own.contains(key) { own.append(key) }
            }
            for key in own {
                if let place = buckets.firstIndex(where: { $0.key == key }) {
                    buckets[place].ids.append(note.id)
                } else {
                    buckets.append(Bucket(key: key, ids: [note.id]))
                }
            }
        }
        return buckets.sorted { precedes($0, $1, facet) }
    }

    private func precedes(_ a: Bucket, _ b: Bucket, _ facet: Facet) -> Bool {
        let isGiven = if case .ranges = facet.kind { true } else { false }
        switch facet.order {
        case .count: if a.ids.count != b.ids.count { return a.ids.count > b.ids.count }
        case .bestHit:
            let places = [a, b].map { bucket in
                found.firstIndex { $0.id == bucket.ids.first } ?? .max
            }
            if places[0] != places[1] { return places[0] < places[1] }
        case .key: break
        }
        return isGiven ? false : FacetKey.precedes(a.key, b.key)
    }

    static func lies(_ value: AttributeValue, in range: FacetRange) -> Bool {
        if case .number(let number) = value, number.isNaN { return range.lower == value }
        if let lower = range.lower {
            guard value.isComparable(to: lower), value >= lower else { return false }
        }
        if let upper = range.upper {
            guard value.isComparable(to: upper), value < upper else { return false }
        }
        return true
    }

    static func key(of value: AttributeValue, _ facet: Facet) -> FacetKey? {
        switch (facet.kind, value) {
        case (.values, _): return .value(value)
        case (.levels(let separator, let parent), .string(let path)):
            let parts = path.components(separatedBy: separator)
            for count in parts.indices {
                let above = parts[..<count].joined(separator: separator)
                let isBelow = parent == nil ? count == 0 : count > 0 && above == parent
                if isBelow {
                    return .value(.string(parts[...count].joined(separator: separator)))
                }
            }
            return nil
        case (.histogram(let interval, let origin), .number(let number)):
            guard number.isFinite else { return nil }
            let near = ((number - origin) / interval).rounded()
            for place in [near - 1, near, near + 1] where abs(near) < 0x1p50 {
                let (lower, upper) = (origin + place * interval, origin + (place + 1) * interval)
                if lower <= number, number < upper {
                    return .range(FacetRange(from: .number(lower), to: .number(upper)))
                }
            }
            // Far away numbers are too few for bounds around each.
            return .range(FacetRange(from: .number(number), to: .number(number.nextUp)))
        case (.dates(let period, let timeZone), .date(let date)):
            return key(of: date, period, timeZone)
        default: return nil
        }
    }

    private static func key(
        of date: Date, _ period: FacetPeriod, _ timeZone: TimeZone
    ) -> FacetKey? {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = timeZone
        let component: Calendar.Component =
            switch period {
            case .hour: .hour
            case .day: .day
            case .week: .weekOfYear
            case .month, .quarter: .month
            case .year: .year
            }
        guard var interval = calendar.dateInterval(of: component, for: date) else { return nil }
        if period == .quarter {
            let month = calendar.component(.month, from: date)
            let back = -((month - 1) % 3)
            guard
                let start = calendar.date(byAdding: .month, value: back, to: interval.start),
                let end = calendar.date(byAdding: .month, value: 3, to: start)
            else { return nil }
            interval = DateInterval(start: start, end: end)
        }
        return .range(FacetRange(from: .date(interval.start), to: .date(interval.end)))
    }
}
