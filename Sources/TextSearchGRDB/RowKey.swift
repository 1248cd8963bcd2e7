#if GRDB
    import Foundation
    import GRDB
    import TextSearch

    /// The primary key of a row, and its form as an identifier of the index.
    ///
    /// Stored form: for each column a tag byte and a body that sorts as the values do. Integers,
    /// also where they are stored as 1.0, have eight bytes, big-endian, with the sign bit flipped;
    /// other numbers the same of their bit pattern; of texts and blobs each zero byte is followed
    /// by 0xff, and two zeros end them.
    struct RowKey: Hashable, Sendable {
        var values: [DatabaseValue]

        private enum Tag {
            // Stored; never renumber.
            static let integer: UInt8 = 1
            static let real: UInt8 = 2
            static let text: UInt8 = 3
            static let blob: UInt8 = 4
        }

        init(_ values: [DatabaseValue]) { self.values = values }

        /// Where the columns of a key are in a row: those of one row are those of all of a
        /// statement.
        static func places(of key: [String], in row: Row) -> [Int] {
            let names = Array(row.columnNames.map { SQLName($0) })
            return key.compactMap { names.firstIndex(of: SQLName($0)) }
        }

        /// The most bytes that an index takes of an identifier.
        private static let largest = 4_096

        /// The identifier; nil where rows cannot be told apart, and where it is longer than an
        /// index takes. SQLite allows NULL in keys; texts that are not UTF-8 are read with U+FFFD
        /// in the place of what is not.
        var identifier: Data? {
            guard let bytes, bytes.count <= Self.largest else { return nil }
            return bytes
        }

        /// The identifier of a row whose key is one integer.
        static func identifier(_ number: Int64) -> Data {
            let bits = UInt64(bitPattern: number) ^ 1 << 63
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 9) { bytes in
                bytes[0] = Tag.integer
                for place in 1..<9 {
                    bytes[place] = UInt8(truncatingIfNeeded: bits >> UInt64(64 - 8 * place))
                }
                return Data(buffer: bytes)
            }
        }

        /// The integer that an identifier stands for; nil where it is not that of one integer.
        static func integer(of identifier: Data) -> Int64? {
            guard identifier.count == 9, identifier.first == Tag.integer else { return nil }
            let bits = identifier.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: 1, as: UInt64.self)
            }
            return Int64(bitPattern: UInt64(bigEndian: bits) ^ 1 << 63)
        }

        private var bytes: Data? {
            var bytes = Data()
            for value in values {
                switch value.storage {
                case .null: return nil
                case .int64(let number):
                    bytes.append(Self.identifier(number))
                case .double(let number):
                    // Equal numbers are one key.
                    if let whole = Int64(exactly: number) {
                        bytes.append(Self.identifier(whole))
                        continue
                    }
                    bytes.append(Tag.real)
                    let bits = number.bitPattern
                    bytes.append(bigEndian: bits >> 63 == 0 ? bits | 1 << 63 : ~bits)
                case .string(let text):
                    if text.unicodeScalars.contains("\u{fffd}") { return nil }
                    bytes.append(Tag.text)
                    bytes.append(escaped: Data(text.utf8))
                case .blob(let data):
                    bytes.append(Tag.blob)
                    bytes.append(escaped: data)
                }
            }
            return bytes
        }

        /// The key of an identifier; nil where it is none of so many columns.
        init?(_ identifier: Data, columnCount: Int) {
            guard let values = Self.values(of: identifier), values.count == columnCount else {
                return nil
            }
            self.values = values
        }

        /// The values that an identifier stands for; nil where it is none.
        static func values(of identifier: Data) -> [DatabaseValue]? {
            if let number = integer(of: identifier) { return [number.databaseValue] }
            var rest = identifier[...]
            var values: [DatabaseValue] = []
            while let tag = rest.popFirst() {
                switch tag {
                case Tag.integer:
                    guard let bits = rest.popBigEndian() else { return nil }
                    values.append(Int64(bitPattern: bits ^ 1 << 63).databaseValue)
                case Tag.real:
                    guard let bits = rest.popBigEndian() else { return nil }
                    let pattern = bits >> 63 == 1 ? bits & ~(1 << 63) : ~bits
                    values.append(Double(bitPattern: pattern).databaseValue)
                case Tag.text:
                    guard let data = rest.popEscaped() else { return nil }
                    values.append(String(decoding: data, as: UTF8.self).databaseValue)
                case Tag.blob:
                    guard let data = rest.popEscaped() else { return nil }
                    values.append(data.databaseValue)
                default: return nil
                }
            }
            return values
        }
    }

    extension Data {
        fileprivate mutating func append(bigEndian number: UInt64) {
            Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
        }

        fileprivate mutating func append(escaped data: Data) {
            for byte in data {
                append(byte)
                if byte == 0 { append(0xff) }
            }
            append(contentsOf: [0, 0])
        }

        fileprivate mutating func popBigEndian() -> UInt64? {
            guard count >= 8 else { return nil }
            let number = prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            removeFirst(8)
            return number
        }

        fileprivate mutating func popEscaped() -> Data? {
            var data = Data()
            while let byte = popFirst() {
                guard byte == 0 else {
                    data.append(byte)
                    continue
                }
                switch popFirst() {
                case 0: return data
                case 0xff: data.append(0)
                default: return nil
                }
            }
            return nil
        }
    }
#endif
