import Foundation
import TextSearch

/// Makes records of files and of lines of JSON.
struct RecordReader: Sendable {
    /// The names of an object's strings.
    let fields: [String]
    /// The member of a line that identifies it.
    let id: String
    /// The member of a line that is its weight.
    let weight: String?
    /// The members of a line to filter and sort by.
    let attributes: [AttributeChoice]
    /// The most text of one object, in bytes of UTF-8.
    let largestText: Int

    /// The members to keep of a line.
    private let keys: Set<String>
    /// Makes hashes differ when the settings do.
    private let settingsHash: String

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - fields: the names of an object's strings.
    ///   - id: the member of a line that identifies it.
    ///   - weight: the member of a line that is its weight.
    ///   - attributes: the members of a line to filter and sort by.
    ///   - largestText: the most text of one object, in bytes of UTF-8.
    init(
        fields: [String], id: String, weight: String?, attributes: [AttributeChoice] = [],
        largestText: Int
    ) {
        self.fields = fields
        self.id = id
        self.weight = weight
        self.attributes = attributes
        self.largestText = largestText
        keys = Set(fields + attributes.map(\.name) + [id] + (weight.map { [$0] } ?? []))
        var settings = [id, weight ?? ""] + fields
        // Without any the hash is what it was before there were attributes.
        if !attributes.isEmpty {
            settings += ["\u{0}attributes"] + attributes.map(\.text).sorted()
        }
        settingsHash = ContentHash(seed: settings.joined(separator: "\u{0}").utf8).text
    }

    private static let longestTitle = 80
    private static let longestBeginning = 200

    /// A record, or why there is none.
    enum Outcome {
        /// `remark` says what had to be assumed or replaced, if anything; `missing` are the members
        /// that a line does not have of those to index and to filter by.
        case record(Record, remark: String?, missing: Set<String> = [])
        case problem(String)
    }

    /// The record of a text file: its name is the first field, and its text the last.
    func record(ofFile bytes: [UInt8], identifier: Data) -> Outcome {
        let (text, encoding) = TextDecoding.decode(bytes[...])
        if let problem = sizeProblem([text]) { return .problem(problem) }
        let strings = Self.strings(ofFile: identifier, text: text, fieldCount: fields.count)
        // An index of before has no names: files are read once more.
        let record = Record(
            identifier: identifier, strings: strings,
            origin: Origin(hash: hash(bytes) + (fields.count > 1 ? "name" : "")))
        return .record(record, remark: encoding.remark)
    }

    /// The record of a line.
    ///
    /// - Parameters:
    ///   - bytes: the line.
    ///   - start: where it begins in its file.
    ///   - source: its file, or `-` for standard input.
    /// - Returns: the record, or what is wrong with the line.
    func record(ofLine bytes: [UInt8], start: Int, source: Path) -> Outcome {
        var scanner = JSONScanner(bytes)
        let members: [String: JSONScanner.Value]
        do {
            members = try scanner.object(keeping: keys)
        } catch {
            return .problem("\(error.reason) (column \(error.column))")
        }
        let identifier: Data
        let weight: Double
        let attributes: [String: AttributeValue]
        do {
            identifier = try self.identifier(members).get()
            weight = try self.weight(members).get()
            attributes = try self.attributes(members)
        } catch {
            return .problem(error.message)
        }
        guard fields.contains(where: { members[$0] != nil }) else {
            return .problem("has none of the fields \(fields.joined(separator: ", "))")
        }
        let strings = fields.map { Self.text(members[$0]) }
        if let problem = sizeProblem(strings) { return .problem(problem) }
        var origin = Origin(hash: hash(bytes))
        origin.source = source
        origin.title = strings.lazy
            .map { Printable.line(Self.beginning(of: $0, Self.longestTitle)) }.first { !$0.isEmpty }
        if source == .standardInput {
            origin.beginnings = strings.map { Self.beginning(of: $0, Self.longestBeginning) }
        } else {
            (origin.lineStart, origin.lineLength) = (start, bytes.count)
        }
        let record = Record(
            identifier: identifier, strings: strings, weight: weight,
            attributes: attributes, origin: origin)
        let remark =
            scanner.isRepaired ? "not valid Unicode; replaced what cannot be read" : nil
        let missing = names.filter { members[$0] == nil }
        return .record(record, remark: remark, missing: missing)
    }

    /// The members of a line to index and to filter by.
    private var names: Set<String> { Set(fields + attributes.map(\.name)) }

    /// The strings of a text file, whose path is its identifier: the name of the file, if there is
    /// more than one field, and its text.
    static func strings(ofFile identifier: Data, text: String, fieldCount: Int) -> [String] {
        guard fieldCount > 1 else { return [text] }
        let name = Path(bytes: identifier).name
        return [name] + Array(repeating: "", count: fieldCount - 2) + [text]
    }

    /// The strings of a line that was indexed before.
    static func strings(ofLine bytes: [UInt8], fields: [String]) -> [String]? {
        var scanner = JSONScanner(bytes)
        guard let members = try? scanner.object(keeping: Set(fields)) else { return nil }
        return fields.map { text(members[$0]) }
    }

    /// The hash of what was read, and of the settings that made a record of it.
    private func hash(_ bytes: [UInt8]) -> String { Self.contentHash(bytes) + settingsHash }

    /// The first part of ``Origin/hash``, which depends on the text alone.
    static func contentHash(_ bytes: [UInt8]) -> String {
        var hash = ContentHash()
        hash.combine(bytes)
        return hash.text
    }

    /// What to say of a file or line that is too large.
    var tooLarge: String {
        "more than \(largestText >> 20) MiB of text; split it, or allow more with --max-size"
    }

    /// The longest line to read, in bytes: escapes and members that are not kept take room.
    var longestLine: Int { 4 * largestText }

    private func sizeProblem(_ strings: [String]) -> String? {
        // Replacement characters may have made it longer than its file.
        strings.reduce(0) { $0 + $1.utf8.count } > largestText ? tooLarge : nil
    }

    /// The first characters; fewer, where marks without end make one character of a whole text.
    private static func beginning(of text: String, _ count: Int) -> String {
        let characters = text.prefix(count)
        guard characters.utf8.count > 16 * count else { return String(characters) }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(4 * count)))
    }

    private func identifier(
        _ members: [String: JSONScanner.Value]
    ) -> Result<Data, CommandError> {
        switch members[id] {
        case .string(let text), .number(let text):
            if text.isEmpty { return .failure(CommandError("\"\(id)\" is empty")) }
            guard text.utf8.count <= 4096 else {
                return .failure(CommandError("\"\(id)\" is longer than 4,096 bytes"))
            }
            return .success(Data(text.utf8))
        case nil:
            return .failure(
                CommandError("no \"\(id)\"; name the member that identifies a line with --id"))
        default:
            return .failure(CommandError("\"\(id)\" is neither a string nor a number"))
        }
    }

    private func weight(_ members: [String: JSONScanner.Value]) -> Result<Double, CommandError> {
        guard let weight else { return .success(0) }
        switch members[weight] {
        case .number(let text), .string(let text):
            guard let value = Double(text), value.isFinite else { break }
            return .success(value)
        case nil, .null: return .success(0)
        default: break
        }
        return .failure(CommandError("the weight \"\(weight)\" is not a finite number"))
    }

    private func attributes(
        _ members: [String: JSONScanner.Value]
    ) throws(CommandError) -> [String: AttributeValue] {
        var found: [String: AttributeValue] = [:]
        for attribute in attributes {
            guard let member = members[attribute.name] else { continue }
            found[attribute.name] = try attribute.value(of: member)
        }
        return found
    }

    private static func text(_ value: JSONScanner.Value?) -> String {
        value?.texts.joined(separator: "\n") ?? ""
    }
}
