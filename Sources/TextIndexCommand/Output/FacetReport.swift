import Foundation
import TextSearch

/// The counts of a facet for machines.
struct FacetReport: Encodable {
    /// A value as JSON has it; dates as text.
    enum Value: Encodable, Equatable {
        case bool(Bool)
        case number(Double)
        case text(String)

        init?(_ value: AttributeValue?) {
            switch value {
            case .bool(let value): self = .bool(value)
            // JSON has no word for those that are not finite.
            case .number(let value):
                self = value.isFinite ? .number(value) : .text("\(AttributeValue.number(value))")
            case .date(let date): self = .text("\(AttributeValue.date(date))")
            case .string(let value): self = .text(value)
            case .array, nil: return nil
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .bool(let value): try container.encode(value)
            case .number(let value): try container.encode(value)
            case .text(let value): try container.encode(value)
            }
        }

        /// For people: days without their time.
        var text: String {
            switch self {
            case .bool(let value): return "\(value)"
            case .number(let value): return "\(AttributeValue.number(value))"
            case .text(let value):
                let day = value.hasSuffix("T00:00:00Z") && AttributeValue(iso8601: value) != nil
                return day ? String(value.dropLast("T00:00:00Z".count)) : value
            }
        }
    }

    struct Bucket: Encodable {
        /// Of values.
        let value: Value?
        /// Of ranges, without the upper bound.
        let from: Value?
        let to: Value?
        let count: Int
        let hits: [Item]

        init(_ bucket: FacetBucket<Record>) {
            switch bucket.key {
            case .value(let value):
                self.value = Value(value)
                from = nil
                to = nil
            case .range(let range):
                value = nil
                from = Value(range.lower)
                to = Value(range.upper)
            }
            count = bucket.count
            hits = bucket.hits.map { Item($0) }
        }

        var name: String {
            if let value { return value.text.isEmpty ? "\"\"" : value.text }
            return "\(from?.text ?? "")..\(to?.text ?? "")"
        }
    }

    struct Item: Encodable {
        let identifier: String
        /// In Base64, when the identifier is not text.
        let identifierBytes: String?
        let score: Double

        init(_ item: SearchResultItem<Record>) {
            let text = String(validating: item.identifier, as: UTF8.self)
            identifier = text ?? String(decoding: item.identifier, as: UTF8.self)
            identifierBytes = text == nil ? item.identifier.base64EncodedString() : nil
            score = item.score
        }
    }

    let attribute: String
    let bucketCount: Int
    let objectCount: Int
    let missingCount: Int
    let buckets: [Bucket]

    init(_ counts: FacetCounts<Record>) {
        attribute = counts.facet.attribute
        bucketCount = counts.bucketCount
        objectCount = counts.objectCount
        missingCount = counts.missingCount
        buckets = counts.buckets.map { Bucket($0) }
    }

    /// The lines for people: the attribute, then counts and values.
    func text(_ style: Style) -> String {
        var facts: [String] = []
        if bucketCount > buckets.count {
            facts.append("\(Format.count(buckets.count)) of \(Format.count(bucketCount))")
        }
        if missingCount > 0 { facts.append("\(Format.count(missingCount)) without") }
        var heading = style.heading(Printable.line(attribute))
        if !facts.isEmpty { heading += "  " + style.faint(facts.joined(separator: ", ")) }
        var lines = [heading]
        let counts = buckets.map { Format.count($0.count) }
        let width = counts.map(\.count).max() ?? 0
        for (bucket, count) in zip(buckets, counts) {
            let indent = String(repeating: " ", count: width - count.count)
            lines.append("   \(indent)\(count)  \(Printable.line(bucket.name))")
            for hit in bucket.hits {
                let space = String(repeating: " ", count: width + 7)
                lines.append(space + style.faint(Printable.line(hit.identifier)))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
