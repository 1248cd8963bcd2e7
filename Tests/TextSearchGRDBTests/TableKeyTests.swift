#if GRDB
    import Foundation
    import GRDB
    import PowerCuts
    import Testing

    @testable import TextSearchGRDB

    /// Keys of rows as identifiers and as text.
    @Suite("Keys of rows")
    struct TableKeyTests {
        private func value(_ generator: inout SeededGenerator) -> DatabaseValue {
            let pieces = [
                "a", ",", "'", "x'", "''", "12", " ", "\u{301}", "é", "🦆", "\u{0}", "-", "1e5",
                "nan",
            ]
            switch generator.int(0...3) {
            case 0:
                return Int64(bitPattern: generator.next() >> UInt64(generator.int(0...63)))
                    .databaseValue
            case 1:
                let number = Double(bitPattern: generator.next())
                return (number.isNaN ? 0.5 : number).databaseValue
            case 2:
                return (0..<generator.int(0...4)).map { _ in
                    pieces[generator.int(0...(pieces.count - 1))]
                }
                .joined().databaseValue
            default:
                return Data((0..<generator.int(0...4)).map { _ in UInt8(generator.int(0...255)) })
                    .databaseValue
            }
        }

        @Test(
            "A key is the same after its text was read, and no two keys have one text",
            arguments: 0..<3)
        func texts(series: Int) throws {
            let seed = Scale.seed(series)
            var generator = SeededGenerator(seed: seed)
            var known: [Data: RowKey] = [:]
            for _ in 0..<5_000 {
                let key = RowKey((0..<generator.int(1...3)).map { _ in value(&generator) })
                let identifier = try #require(key.identifier)
                #expect(RowKey(identifier, columnCount: key.values.count) == key, "seed \(seed)")
                let text = try TableKey.text(identifier)
                #expect(try TableKey.identifier(text) == identifier, "seed \(seed): \(key)")
                #expect(known[text] ?? key == key, "seed \(seed): \(key)")
                known[text] = key
            }
        }

        @Test("Identifiers sort as integers and texts do, and others are no keys")
        func order() throws {
            let integers: [Int64] = [.min, -256, -1, 0, 1, 255, 256, .max]
            let identifiers = integers.compactMap { RowKey([$0.databaseValue]).identifier }
            #expect(identifiers == identifiers.sorted { $0.lexicographicallyPrecedes($1) })
            for text in ["", ",", "a,", "'a", "x'0'", "x'zz'", "x'00", "a,,b"] {
                #expect(throws: (any Error).self, "\(text)") {
                    try TableKey.identifier(Data(text.utf8))
                }
            }
            var generator = SeededGenerator(seed: 4)
            for _ in 0..<5_000 {
                let bytes = Data(
                    (0..<generator.int(0...12)).map { _ in UInt8(generator.int(0...6)) })
                _ = try? TableKey.text(bytes)
                _ = try? TableKey.identifier(bytes)
            }
        }
    }
#endif
