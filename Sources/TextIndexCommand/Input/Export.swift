import Foundation
import TextSearch

/// The lines of an export: a first one, one an object, one for each choice that is remembered, and
/// a last one that says that it is whole.
enum Export {
    /// The first line.
    struct Head: Codable {
        var format = Self.format
        var version = 1
        let settings: IndexSettings

        static let format = "textindex export"
    }

    /// An object.
    struct Object: Codable {
        /// Nil when the identifier is not UTF-8.
        var id: String?
        var idBytes: Data?
        let strings: [String]
        let weight: Double
        let attributes: [String: AttributeValue]
        let context: [String: ContextValue]

        init(_ record: Record) {
            id = String(validating: record.identifier, as: UTF8.self)
            idBytes = id == nil ? record.identifier : nil
            strings = record.strings
            weight = record.weight
            attributes = record.attributes
            context = record.origin.context
        }

        /// - Throws: ``CommandError`` when it is no object of this command.
        func record() throws -> Record {
            guard let identifier = idBytes ?? id.map({ Data($0.utf8) }), !identifier.isEmpty else {
                throw CommandError("an object without an identifier")
            }
            guard let origin = Origin(context) else {
                throw CommandError("an object whose origin is missing")
            }
            return Record(
                identifier: identifier, strings: strings, weight: weight, attributes: attributes,
                origin: origin)
        }
    }

    /// That an object was chosen for a query.
    struct Engagement: Codable {
        let query: String
        /// Nil when the identifier is not UTF-8.
        var id: String?
        var idBytes: Data?
        let strength: Double
        let date: Date

        init(_ engagement: TextSearch.Engagement) {
            query = engagement.query
            id = String(validating: engagement.identifier, as: UTF8.self)
            idBytes = id == nil ? engagement.identifier : nil
            strength = engagement.strength
            date = engagement.date
        }

        /// What the index is told.
        var engagement: TextSearch.Engagement {
            TextSearch.Engagement(
                identifier: idBytes ?? Data((id ?? "").utf8), query: query, strength: strength,
                date: date)
        }
    }

    /// The last line.
    struct Tail: Codable {
        let objectCount: Int
    }

    /// Any line behind the first.
    enum Line: Decodable {
        case object(Object)
        case engagement(Engagement)
        case tail(Tail)

        init(from decoder: any Decoder) throws {
            if let tail = try? Tail(from: decoder) {
                self = .tail(tail)
            } else if let engagement = try? Engagement(from: decoder) {
                self = .engagement(engagement)
            } else {
                self = .object(try Object(from: decoder))
            }
        }
    }
}
