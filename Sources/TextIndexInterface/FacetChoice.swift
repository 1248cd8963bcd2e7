import Foundation
package import TextSearch

/// What a text asks to count: `cuisine`, `price:10`, `price:auto`, `price:..10,10..50,50..`,
/// `published:month`, `shelf:/`, `shelf:/meat`, each with `:or` behind it.
package struct FacetChoice: Equatable, Sendable {
    /// How the values of the attribute are counted.
    package enum Kind: Equatable, Sendable {
        case values
        case histogram(Double)
        /// In ranges of round bounds.
        case automatic
        case ranges([FacetRange])
        case dates(FacetPeriod)
        /// The first level of paths, or the one below a path.
        case levels(below: String?)
    }

    /// The attribute.
    package let name: String
    /// How its values are counted.
    package let kind: Kind
    /// Whether the filters of the attribute itself make no difference.
    package let isDisjunctive: Bool

    /// Nil without a name. What is not read as a kind belongs to the name.
    package init?(argument: String) {
        isDisjunctive = argument.hasSuffix(":or")
        let argument = isDisjunctive ? String(argument.dropLast(3)) : argument
        if let colon = argument.lastIndex(of: ":"),
            let kind = Self.kind(argument[argument.index(after: colon)...])
        {
            name = String(argument[..<colon])
            self.kind = kind
        } else if let mark = argument.range(of: ":/") {
            // Paths may have colons.
            name = String(argument[..<mark.lowerBound])
            kind = .levels(below: String(argument[mark.upperBound...]))
        } else {
            name = argument
            kind = .values
        }
        if name.isEmpty { return nil }
    }

    private static func kind(_ text: Substring) -> Kind? {
        if let interval = Double(text), interval > 0, interval.isFinite {
            return .histogram(interval)
        }
        if text == "auto" { return .automatic }
        if let period = FacetPeriod(rawValue: String(text)) { return .dates(period) }
        if text.hasPrefix("/") {
            return .levels(below: text.count > 1 ? String(text.dropFirst()) : nil)
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let ranges = parts.compactMap { range($0) }
        return ranges.count == parts.count ? .ranges(ranges) : nil
    }

    /// Reads `10..50`, `..10` and `50..`; nil for anything else.
    private static func range(_ text: Substring) -> FacetRange? {
        guard let dots = text.range(of: "..") else { return nil }
        let (lower, upper) = (text[..<dots.lowerBound], text[dots.upperBound...])
        if lower.isEmpty && upper.isEmpty { return nil }
        return FacetRange(from: value(lower), to: value(upper))
    }

    private static func value(_ text: Substring) -> AttributeValue? {
        if text.isEmpty { return nil }
        if let number = Double(text), number.isFinite { return .number(number) }
        return AttributeValue(iso8601: String(text)) ?? .string(String(text))
    }

    /// What is to be counted.
    ///
    /// - Parameters:
    ///   - limit: how many values to show at most.
    ///   - topHits: how many hits to show of each.
    /// - Returns: the facet.
    package func facet(limit: Int, topHits: Int) -> Facet {
        let facet = counted(limit, topHits)
        return isDisjunctive ? facet.disjunctive : facet
    }

    private func counted(_ limit: Int, _ topHits: Int) -> Facet {
        switch kind {
        case .values: .values(of: name, limit: limit, topHits: topHits)
        case .histogram(let interval): .histogram(of: name, every: interval, topHits: topHits)
        case .automatic: .automaticRanges(of: name, topHits: topHits)
        case .ranges(let ranges): .ranges(of: name, ranges, topHits: topHits)
        case .dates(let period): .dates(of: name, every: period, topHits: topHits)
        case .levels(let parent):
            .levels(of: name, below: parent, limit: limit, topHits: topHits)
        }
    }
}
