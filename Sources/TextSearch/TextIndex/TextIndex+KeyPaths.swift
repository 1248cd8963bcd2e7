public import Foundation

extension TextIndex {
    /// Opens an index of objects that key paths describe.
    ///
    /// ```swift
    /// struct Note: Sendable { var number: Int; var title, body: String; var year: Int }
    /// let index = try TextIndex(
    ///     at: directory, id: \Note.number, text: [\.title, \.body], attributes: ["year": \.year])
    /// try await index.indexObjects(notes)
    /// ```
    ///
    /// The three hooks are set. They may be replaced at any time, and overridden methods take
    /// precedence.
    ///
    /// - Parameters:
    ///   - directory: as for ``init(at:configuration:)``.
    ///   - id: what identifies an object.
    ///   - text: its strings: key paths to `String`, `String?` or `[String]`, whose elements are
    ///     joined by line breaks.
    ///   - fields: the names of the strings. By default they are those of the configuration or, if
    ///     it has none, the names of the properties. A computed property has no name here, nor have
    ///     two of the same name: they are named by their positions in `text`, from 0. Name the
    ///     fields if properties may change, since an index opens only with the fields that it was
    ///     made with.
    ///   - attributes: key paths to ``AttributeConvertible`` values, by the names of the
    ///     attributes.
    ///   - weight: the weight of an object; nil for 0.
    ///   - configuration: how to analyse text and what to use of the machine.
    ///   - object: returns an object by its identifier; nil for an index that returns no objects.
    /// - Throws: ``TextIndexError``: as ``init(at:configuration:)`` does; `.invalidArgument` for a
    ///   key path to anything else.
    public convenience init<ID: IndexIdentifier>(
        at directory: URL, id: any KeyPath<Object, ID> & Sendable,
        text: [any PartialKeyPath<Object> & Sendable], fields: [String] = [],
        attributes: [String: any PartialKeyPath<Object> & Sendable] = [:],
        weight: (any KeyPath<Object, Double> & Sendable)? = nil,
        configuration: TextIndexConfiguration = .init(),
        object: (@Sendable (ID) throws -> Object?)? = nil
    ) throws {
        let described = try DescribedObject(
            text: text, attributes: attributes, weight: weight)
        var configuration = configuration
        if !fields.isEmpty {
            configuration.fields = fields
        } else if configuration.fields.isEmpty {
            configuration.fields = described.names
        }
        configuration.attributes += attributes.keys.sorted().filter {
            !configuration.attributes.contains($0)
        }
        try self.init(at: directory, configuration: configuration)
        identifier = { $0[keyPath: id].indexIdentifier }
        indexer = { object, _ in described.indexed(object) }
        if let object { objectGetter = { try object(ID(indexIdentifier: $0)) } }
    }

    /// Opens an index of objects that key paths describe and their `id` identifies.
    ///
    /// - Parameters:
    ///   - directory: as for ``init(at:configuration:)``.
    ///   - text: the strings of an object, as for the initialiser with `id`.
    ///   - fields: the names of the strings.
    ///   - attributes: key paths to ``AttributeConvertible`` values, by the names of the
    ///     attributes.
    ///   - weight: the weight of an object; nil for 0.
    ///   - configuration: how to analyse text and what to use of the machine.
    ///   - object: returns an object by its identifier; nil for an index that returns no objects.
    /// - Throws: ``TextIndexError``, as the initialiser with `id`.
    public convenience init(
        at directory: URL, text: [any PartialKeyPath<Object> & Sendable], fields: [String] = [],
        attributes: [String: any PartialKeyPath<Object> & Sendable] = [:],
        weight: (any KeyPath<Object, Double> & Sendable)? = nil,
        configuration: TextIndexConfiguration = .init(),
        object: (@Sendable (Object.ID) throws -> Object?)? = nil
    ) throws where Object: Identifiable, Object.ID: IndexIdentifier {
        try self.init(
            at: directory, id: \Object.id, text: text, fields: fields, attributes: attributes,
            weight: weight, configuration: configuration, object: object)
    }
}

/// What key paths say of objects.
private struct DescribedObject<Object>: Sendable {
    private let text: [any PartialKeyPath<Object> & Sendable]
    private let attributes: [String: any PartialKeyPath<Object> & Sendable]
    private let weight: (any KeyPath<Object, Double> & Sendable)?

    init(
        text: [any PartialKeyPath<Object> & Sendable],
        attributes: [String: any PartialKeyPath<Object> & Sendable],
        weight: (any KeyPath<Object, Double> & Sendable)?
    ) throws {
        for path in text {
            let type = type(of: path).valueType
            guard type == String.self || type == String?.self || type == [String].self else {
                throw TextIndexError(
                    .invalidArgument,
                    "Text must be a String, a String? or a [String]; \(path) is of type \(type).")
            }
        }
        for (name, path) in attributes {
            let type = type(of: path).valueType
            guard type is any AttributeConvertible.Type else {
                throw TextIndexError(
                    .invalidArgument,
                    "The attribute \(name) is of type \(type), which is not AttributeConvertible.")
            }
        }
        self.text = text
        self.attributes = attributes
        self.weight = weight
    }

    /// The names of the properties that have the text; of those without a name of their own, their
    /// places.
    var names: [String] {
        let names = text.map { "\($0)".split(separator: ".").last ?? "" }
        return names.enumerated().map { place, name in
            let isName = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
            let isOnly = names.count { $0 == name } == 1
            return isName && isOnly && !name.isEmpty ? String(name) : "\(place)"
        }
    }

    func indexed(_ object: Object) -> IndexedObject {
        IndexedObject(
            strings: text.map { string(object[keyPath: $0]) },
            weight: weight.map { object[keyPath: $0] } ?? 0,
            attributes: attributes.compactMapValues {
                (object[keyPath: $0] as? any AttributeConvertible)?.attributeValue
            })
    }

    private func string(_ value: Any) -> String {
        switch value {
        case let strings as [String]: strings.joined(separator: "\n")
        case let string as String: string
        default: ""
        }
    }
}
