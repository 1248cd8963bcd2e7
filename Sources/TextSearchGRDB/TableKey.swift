#if GRDB
    package import Foundation
    import GRDB
    import TextSearch

    /// Keys of rows as text: the identifiers that a command shows.
    ///
    /// Columns are separated by commas. Integers and numbers are written as such, blobs as x'00ff'.
    /// A text is written as it is, but in quotation marks as in SQL where it could be taken for
    /// anything else.
    package enum TableKey {
        /// The text of an identifier of a table's index.
        ///
        /// - Parameter identifier: the identifier.
        /// - Returns: The text, in UTF-8.
        /// - Throws: `.invalidArgument` for what is no identifier of a table's index.
        package static func text(_ identifier: Data) throws -> Data {
            guard let values = RowKey.values(of: identifier) else {
                throw TextIndexError(.invalidArgument, "An identifier is not that of a row.")
            }
            return Data(values.map(text).joined(separator: ",").utf8)
        }

        /// The identifier that a text stands for.
        ///
        /// - Parameter text: what ``text(_:)`` gave.
        /// - Returns: The identifier.
        /// - Throws: `.invalidArgument` for a text that stands for none.
        package static func identifier(_ text: Data) throws -> Data {
            var rest = text[...]
            var values: [DatabaseValue] = []
            var isExpected = true
            while isExpected, let value = popValue(&rest) {
                values.append(value)
                isExpected = rest.popFirst() == comma
            }
            guard rest.isEmpty, !isExpected, let identifier = RowKey(values).identifier else {
                throw TextIndexError(.invalidArgument, "A text is not the key of a row.")
            }
            return identifier
        }

        private static let comma = UInt8(ascii: ",")
        private static let quote = UInt8(ascii: "'")
        private static let hexadecimal = Array("0123456789abcdef".utf8)

        private static func text(_ value: DatabaseValue) -> String {
            switch value.storage {
            case .null: return ""
            case .int64(let number): return String(number)
            case .double(let number): return "\(number)"
            case .blob(let data):
                var digits: [UInt8] = []
                digits.reserveCapacity(2 * data.count)
                for byte in data {
                    digits.append(hexadecimal[Int(byte >> 4)])
                    digits.append(hexadecimal[Int(byte & 15)])
                }
                return "x'" + String(decoding: digits, as: UTF8.self) + "'"
            case .string(let text):
                let isPlain =
                    !text.isEmpty && !text.utf8.contains { $0 == comma || $0 == quote }
                    && Double(text) == nil
                guard !isPlain else { return text }
                let doubled = text.utf8.flatMap { $0 == quote ? [$0, $0] : [$0] }
                return "'" + String(decoding: doubled, as: UTF8.self) + "'"
            }
        }

        private static func popValue(_ rest: inout Data) -> DatabaseValue? {
            if rest.starts(with: [UInt8(ascii: "x"), quote]) {
                rest.removeFirst()
                return popQuoted(&rest).flatMap(blob)
            }
            if rest.first == quote { return popQuoted(&rest).map(string) }
            let word = rest.prefix { $0 != comma }
            rest = rest[word.endIndex...]
            let text = String(decoding: word, as: UTF8.self)
            if let number = Int64(text) { return number.databaseValue }
            if let number = Double(text) { return number.databaseValue }
            return word.isEmpty ? nil : text.databaseValue
        }

        private static func string(_ bytes: Data) -> DatabaseValue {
            String(decoding: bytes, as: UTF8.self).databaseValue
        }

        /// What is between the quotation marks at the front.
        private static func popQuoted(_ rest: inout Data) -> Data? {
            rest.removeFirst()
            var bytes = Data()
            while let byte = rest.popFirst() {
                if byte == quote {
                    guard rest.first == quote else { return bytes }
                    rest.removeFirst()
                }
                bytes.append(byte)
            }
            return nil
        }

        private static func blob(_ digits: Data) -> DatabaseValue? {
            let digits = Array(digits)
            guard digits.count % 2 == 0 else { return nil }
            var data = Data()
            for place in stride(from: 0, to: digits.count, by: 2) {
                let pair = String(decoding: digits[place...(place + 1)], as: UTF8.self)
                guard let byte = UInt8(pair, radix: 16) else { return nil }
                data.append(byte)
            }
            return data.databaseValue
        }
    }
#endif
