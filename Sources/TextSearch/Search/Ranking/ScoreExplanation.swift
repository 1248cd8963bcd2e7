/// How a score comes about: a tree of factors that, evaluated from its leaves, gives the score to
/// the last bit.
///
/// ```swift
/// print(try item.explain() ?? "gone")
/// // 1.386… = sum: all of
/// //   0.693… = quotient: term "duck"
/// //     …
/// ```
public struct ScoreExplanation: Sendable, Hashable, Codable {
    /// How the value of a node is computed from those of its parts.
    public enum Operation: String, Sendable, Hashable, Codable {
        /// The value is given. Its parts, if any, explain where it comes from.
        case value
        /// The sum of the parts in order; 0 without any.
        case sum
        /// The product of the parts in order; 1 without any.
        case product
        /// The first part divided by the second.
        case quotient
        /// The greatest part. NaN is ignored, unless it is the first.
        case maximum
    }

    /// What the value is, for people. It may quote the query.
    public let text: String
    /// The value of this node.
    public let value: Double
    /// How ``value`` is computed from ``parts``.
    public let operation: Operation
    /// What the value is computed from, in the order of computation.
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

    /// Computes the value from the leaves, by the same operations in the same order as the search.
    ///
    /// - Returns: The same number as ``value``.
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
    /// The tree as text, with an indented line for each node.
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
