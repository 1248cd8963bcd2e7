#if GRDB
    /// A name in SQL. SQLite takes two names for the same that differ in the case of ASCII letters
    /// alone: to it, É and é are two, and so are the composed and the decomposed form of either.
    package struct SQLName: Hashable, Sendable {
        private let bytes: [UInt8]

        package init(_ name: String) { bytes = name.utf8.map(Self.folded) }

        /// Whether two names are the same, without making either.
        package static func areSame(_ a: String, _ b: String) -> Bool {
            a.utf8.count == b.utf8.count
                && a.utf8.elementsEqual(b.utf8) { folded($0) == folded($1) }
        }

        private static func folded(_ byte: UInt8) -> UInt8 {
            UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
        }

        /// Whether it is a name that the log of changes has for itself.
        var isReserved: Bool { bytes.starts(with: ChangeLog.prefix.utf8) }
    }
#endif
