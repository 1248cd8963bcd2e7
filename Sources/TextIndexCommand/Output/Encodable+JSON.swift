import Foundation

extension Encodable {
    /// The value as a JSON document with sorted names and a line feed at its end.
    func jsonDocument() throws -> String {
        try json([.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
    }

    /// The value as one line of JSON, with its line feed.
    func jsonLine() throws -> String { try json([.sortedKeys, .withoutEscapingSlashes]) }

    private func json(_ formatting: JSONEncoder.OutputFormatting) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
        let text = String(decoding: try encoder.encode(self), as: UTF8.self)
        return Printable.json(text) + "\n"
    }
}
