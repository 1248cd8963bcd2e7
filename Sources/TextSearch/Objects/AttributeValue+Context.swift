extension AttributeValue {
    /// The same value as a context value: attributes are stored in that form.
    var asContext: ContextValue {
        switch self {
        case .bool(let value): .bool(value)
        case .number(let value): .double(value)
        case .date(let value): .date(value)
        case .string(let value): .string(value)
        case .array(let values): .array(values.map(\.asContext))
        }
    }

    /// The attribute that `asContext` gave; nil for what no attribute gives.
    init?(context: ContextValue) {
        switch context {
        case .bool(let value): self = .bool(value)
        case .double(let value): self = .number(value)
        case .date(let value): self = .date(value)
        case .string(let value): self = .string(value)
        case .array(let values): self = .array(values.compactMap(AttributeValue.init(context:)))
        default: return nil
        }
    }
}
