/// How a score comes about: a tree of factors whose value, reckoned from its leaves, is the score to the last bit.
///
/// ```swift
/// print(try item.explain() ?? "gone")
/// // 1.386… = sum: all of
/// //   0.693… = quotient: term "duck"
/// //     …
/// ```
public struct ScoreExplanation: Sendable, Hashable, Codable {
    /// How the value is made of the values of the parts.
    public enum Operation: String, Sendable, Hashable, Codable {
        /// It is given; the parts, if there are any, are what it was made of by somebody else.
        case value
        /// The parts added up, from the first on; 0 without any.
        case sum
        /// The parts multiplied, from the first on; 1 without any.
        case product
        /// The first part divided by the second.
        case quotient
        /// The greatest of the parts; one that is not a number is passed over, unless it is the first.
        case maximum
    }

    /// What it is, for people. It may quote the query.
    public let text: String
    /// The value.
    public let value: Double
    /// How the value is made of those of ``parts``.
    public let operation: Operation
    /// What it is made of, in the order in which it is reckoned.
    public let parts: [ScoreExplanation]

    /// A given value.
    init(_ text: String, value: Double, parts: [ScoreExplanation] = []) {
        self.text = text
        self.value = value
        self.parts = parts
        operation = .value
    }

    /// A value made of parts.
    init(_ text: String, _ operation: Operation, _ parts: [ScoreExplanation]) {
        self.text = text
        self.operation = operation
        self.parts = parts
        value = operation.result(of: parts.map(\.value)) ?? 0
    }

    /// Reckons the value from the leaves, by the same operations in the same order as the search.
    ///
    /// - Returns: What ``value`` is.
    public func evaluated() -> Double {
        operation.result(of: parts.map { $0.evaluated() }) ?? value
    }
}

extension ScoreExplanation.Operation {
    /// Nil where the value is given.
    fileprivate func result(of parts: [Double]) -> Double? {
        switch self {
        case .value: nil
        case .sum: parts.reduce(0, +)
        // Multiplying by 1 changes no number.
        case .product: parts.reduce(1, *)
        case .quotient:
            parts.dropFirst().reduce(parts.first ?? 0, /)
        case .maximum:
            parts.dropFirst().reduce(parts.first ?? 0) { $1 > $0 ? $1 : $0 }
        }
    }
}

extension ScoreExplanation: CustomStringConvertible {
    /// The tree, a line a part, indented.
    public var description: String {
        var lines: [String] = []
        appendLines(to: &lines, depth: 0)
        return lines.joined(separator: "\n")
    }

    func appendLines(to lines: inout [String], depth: Int) {
        let name = operation == .value ? "" : "\(operation.rawValue): "
        lines.append("\(String(repeating: "  ", count: depth))\(value) = \(name)\(text)")
        for part in parts { part.appendLines(to: &lines, depth: depth + 1) }
    }
}
