extension AttributeComparison: Codable {
    private enum Kind: String, CodingKey { case isIn, isNotIn, range, exists, isLike, matches }

    /// Decodes a comparison written by ``encode(to:)``.
    ///
    /// - Parameter decoder: The decoder to read from.
    /// - Throws: `DecodingError` for anything but exactly one known kind.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        if container.contains(.isIn) {
            self = .in(try container.decode([AttributeValue].self, forKey: .isIn))
        } else if container.contains(.isNotIn) {
            self = .notEqual(.array(try container.decode([AttributeValue].self, forKey: .isNotIn)))
        } else if container.contains(.range) {
            let bounds = try container.decode(AttributeBounds.self, forKey: .range)
            self.init(operation: .range(bounds))
        } else if container.contains(.isLike) {
            self = .like(try container.decode(String.self, forKey: .isLike))
        } else if container.contains(.matches) {
            let pattern = try container.decode(StringPattern.self, forKey: .matches)
            self.init(operation: .matches(pattern))
        } else if container.contains(.exists) {
            self = .exists
        } else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "a comparison has one known kind"))
        }
    }

    /// Encodes the comparison as a container with one key: its kind.
    ///
    /// - Parameter encoder: The encoder to write to.
    /// - Throws: What the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch operation {
        case .isIn(let values): try container.encode(values, forKey: .isIn)
        case .isNotIn(let values): try container.encode(values, forKey: .isNotIn)
        case .range(let bounds): try container.encode(bounds, forKey: .range)
        case .exists: try container.encode(true, forKey: .exists)
        case .isLike(let text): try container.encode(text, forKey: .isLike)
        case .matches(let pattern): try container.encode(pattern, forKey: .matches)
        }
    }
}

extension AttributeBounds: Codable {
    private enum Key: String, CodingKey { case lower, upper, includesLower, includesUpper }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            lower: try container.decodeIfPresent(AttributeValue.self, forKey: .lower),
            upper: try container.decodeIfPresent(AttributeValue.self, forKey: .upper),
            includesLower: try container.decodeIfPresent(Bool.self, forKey: .includesLower) ?? true,
            includesUpper: try container.decodeIfPresent(Bool.self, forKey: .includesUpper) ?? true)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(lower, forKey: .lower)
        try container.encodeIfPresent(upper, forKey: .upper)
        try container.encode(includesLower, forKey: .includesLower)
        try container.encode(includesUpper, forKey: .includesUpper)
    }
}
