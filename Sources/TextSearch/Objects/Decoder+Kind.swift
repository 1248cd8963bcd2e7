extension Decoder {
    /// The container of what is coded under one key, its kind, and the kind.
    ///
    /// - Throws: `DecodingError` with `message` for anything else, and for what lies within `depth`
    ///   others.
    func singleKind<Kind: CodingKey>(
        _: Kind.Type, depth: Int, _ message: String
    ) throws -> (KeyedDecodingContainer<Kind>, Kind) {
        let container = try container(keyedBy: Kind.self)
        guard let kind = container.allKeys.first, container.allKeys.count == 1,
            codingPath.count < depth
        else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: message))
        }
        return (container, kind)
    }
}
