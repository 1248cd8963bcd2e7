public import Foundation

/// A type that can identify an object, with one binary form that the index stores.
///
/// Strings are their UTF-8 bytes, UUIDs their 16 bytes. Integers are big-endian with the sign bit
/// flipped, in as many bytes as the type has, so that identifiers sort as the numbers do. A type of
/// your own returns its bytes and reads them again:
///
/// ```swift
/// struct NoteID: IndexIdentifier {
///     var number: Int
///     var indexIdentifier: Data { number.indexIdentifier }
///     init(indexIdentifier: Data) { number = Int(indexIdentifier: indexIdentifier) }
/// }
/// ```
public protocol IndexIdentifier: Sendable {
    /// The bytes that the index stores, 1 to 4,096.
    var indexIdentifier: Data { get }

    /// Creates the value from its bytes. It must reverse ``indexIdentifier``; of other bytes it may
    /// make anything.
    ///
    /// - Parameter indexIdentifier: the bytes.
    init(indexIdentifier: Data)
}

extension Data: IndexIdentifier {
    /// The bytes themselves, without any conversion.
    public var indexIdentifier: Data { self }

    /// Uses the bytes as they are.
    ///
    /// - Parameter indexIdentifier: the bytes.
    public init(indexIdentifier: Data) { self = indexIdentifier }
}

extension String: IndexIdentifier {
    /// The bytes of the text in UTF-8.
    public var indexIdentifier: Data { Data(utf8) }

    /// Decodes UTF-8. Invalid bytes become U+FFFD.
    ///
    /// - Parameter indexIdentifier: the bytes.
    public init(indexIdentifier: Data) { self.init(decoding: indexIdentifier, as: UTF8.self) }
}

extension UUID: IndexIdentifier {
    /// The 16 bytes, in the order in which they are written.
    public var indexIdentifier: Data { withUnsafeBytes(of: uuid) { Data($0) } }

    /// Reads 16 bytes. Missing bytes are zero, further ones are ignored.
    ///
    /// - Parameter indexIdentifier: the bytes.
    public init(indexIdentifier: Data) {
        var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &value) { _ = indexIdentifier.prefix(16).copyBytes(to: $0) }
        self.init(uuid: value)
    }
}

extension FixedWidthInteger where Self: Sendable {
    /// The bytes, most significant first, with the sign bit flipped.
    public var indexIdentifier: Data {
        let sortable = Self.isSigned ? self ^ (1 << (Self.bitWidth - 1)) : self
        return withUnsafeBytes(of: sortable.bigEndian) { Data($0) }
    }

    /// Reads as many bytes as the type has. Missing bytes are zero, further ones are ignored.
    ///
    /// - Parameter indexIdentifier: the bytes.
    public init(indexIdentifier: Data) {
        var value: Self = 0
        withUnsafeMutableBytes(of: &value) { bytes in
            _ = indexIdentifier.prefix(bytes.count).copyBytes(to: bytes)
        }
        let sortable = Self(bigEndian: value)
        self = Self.isSigned ? sortable ^ (1 << (Self.bitWidth - 1)) : sortable
    }
}

extension Int: IndexIdentifier {}
extension Int8: IndexIdentifier {}
extension Int16: IndexIdentifier {}
extension Int32: IndexIdentifier {}
extension Int64: IndexIdentifier {}
extension UInt: IndexIdentifier {}
extension UInt8: IndexIdentifier {}
extension UInt16: IndexIdentifier {}
extension UInt32: IndexIdentifier {}
extension UInt64: IndexIdentifier {}
