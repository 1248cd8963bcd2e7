import Foundation
import TextSearch

/// One object of the command: a file, or a line of JSON.
package struct Record: Sendable {
    var identifier: Data
    var strings: [String]
    var weight: Double = 0
    var attributes: [String: AttributeValue] = [:]
    var origin: Origin

    /// What the index is told.
    var indexed: IndexedObject {
        IndexedObject(
            strings: strings, weight: weight, context: origin.context,
            attributes: attributes)
    }
}

/// Where a record's text comes from: enough to notice changes and to show the text again.
///
/// Kept in the object's context, all as strings.
struct Origin: Sendable, Equatable {
    /// Hash of what was read; see ``ContentHash``.
    var hash: String
    /// The JSON Lines file that the record is a line of; nil for a text file and for a row.
    var source: Path?
    /// Whether the record is a row of a table that an index follows.
    var isRow = false
    /// Where the line is in that file.
    var lineStart: Int?
    var lineLength: Int?
    /// Whether an earlier line of the same run had the same identifier.
    var isRepeated = false
    /// What to show of a record from JSON Lines beside its identifier.
    var title: String?
    /// The beginning of each string, for records whose text cannot be read again.
    var beginnings: [String] = []

    init(hash: String) { self.hash = hash }

    /// Whether what was read is the same, at the same place: texts are found again by their place.
    func isSame(as other: Origin) -> Bool {
        hash == other.hash && source == other.source && lineStart == other.lineStart
            && lineLength == other.lineLength
    }

    /// The form in which it is stored.
    var context: [String: ContextValue] {
        var context: [String: ContextValue] = ["hash": .string(hash)]
        if let source {
            context["source"] =
                source.exactText.map(ContextValue.string) ?? .data(Data(source.bytes))
        }
        if isRow { context["row"] = .bool(true) }
        if let lineStart, let lineLength { context["line"] = .string("\(lineStart)+\(lineLength)") }
        if isRepeated { context["repeated"] = .bool(true) }
        if let title { context["title"] = .string(title) }
        for (number, text) in beginnings.enumerated() { context["text\(number)"] = .string(text) }
        return context
    }

    /// Reads the stored form; nil when the object was not indexed by this command.
    init?(_ context: [String: ContextValue]) {
        func string(_ key: String) -> String? {
            if case .string(let text) = context[key] { return text }
            return nil
        }
        guard let hash = string("hash") else { return nil }
        self.init(hash: hash)
        source =
            switch context["source"] {
            case .string(let text): Path(text)
            case .data(let bytes): Path(bytes: bytes)
            default: nil
            }
        isRepeated = context["repeated"] == .bool(true)
        title = string("title")
        let place = string("line")?.split(separator: "+").compactMap { Int($0) } ?? []
        if place.count == 2 { (lineStart, lineLength) = (place[0], place[1]) }
        // Earlier versions gave rows the database as their source, where a line has its place, too.
        let isOfDatabase = source != nil && source != .standardInput && lineStart == nil
        isRow = context["row"] == .bool(true) || isOfDatabase
        while let text = string("text\(beginnings.count)") { beginnings.append(text) }
    }
}
