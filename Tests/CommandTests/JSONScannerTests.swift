import Foundation
import PowerCuts
import Testing

@testable import TextIndexCommand

@Suite struct JSONScannerTests {
    private func scan(_ text: String) throws -> [String: JSONScanner.Value] {
        var scanner = JSONScanner(Array(text.utf8))
        return try scanner.object(keeping: ["a", "b"])
    }

    @Test(
        arguments: [
            (#"{}"#, [:]),
            (#" { "a" : "x" , "c" : [ 1 , { "a" : 2 } ] } "#, ["a": .string("x")]),
            (
                #"{"a":-0.5e+3,"b":12345678901234567890}"#,
                ["a": .number("-0.5e+3"), "b": .number("12345678901234567890")]
            ),
            (#"{"a":true,"b":null}"#, ["a": .boolean(true), "b": .null]),
            (
                #"{"a":{"b":1},"b":["x",1,null,["y"],{}]}"#,
                ["a": .object, "b": .array([.string("x"), .number("1")])]
            ),
            (
                #"{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83e\udd86"}"#,
                ["a": .string("\"\\/\u{8}\u{C}\n\r\té🦆")]
            ),
            (#"{"a":"\u0000"}"#, ["a": .string("\u{0}")]),
            (#"{"\u0061":1,"a":2}"#, ["a": .number("2")]),
            (#"{"a":"\ud800\u0041"}"#, ["a": .string("\u{FFFD}A")]),
            ("\u{FEFF}{\"a\":1}", ["a": .number("1")]),
        ] as [(String, [String: JSONScanner.Value])])
    func objectsAreRead(text: String, expected: [String: JSONScanner.Value]) throws {
        #expect(try scan(text) == expected)
    }

    @Test(
        "Members of objects are kept by their paths",
        arguments: [
            (#"{"a":{"b":"x","c":1}}"#, ["a.b": .string("x")]),
            (
                #"{"a":{"b":{"c":[1,"y"]}}}"#,
                ["a.b": .object, "a.b.c": .array([.number("1"), .string("y")])]
            ),
            (
                #"{"a":[{"b":"x"},{"d":0},{"b":["y","z"]}]}"#,
                ["a.b": .array(["x", "y", "z"].map { .string($0) })]
            ),
            (#"{"a":{"b":"nested"},"a.b":"named so"}"#, ["a.b": .string("named so")]),
            (#"{"a":"no object","b":{"a":{"b":1}}}"#, [:]),
            (#"{"a":{"b":null}}"#, ["a.b": .null]),
        ] as [(String, [String: JSONScanner.Value])])
    func nestedMembers(text: String, expected: [String: JSONScanner.Value]) throws {
        var scanner = JSONScanner(Array(text.utf8))
        #expect(try scanner.object(keeping: ["a.b", "a.b.c"]) == expected)
        let many =
            #"{"a":["# + Array(repeating: #"{"b":1}"#, count: 2_000).joined(separator: ",") + "]}"
        var long = JSONScanner(Array(many.utf8))
        let ones = Array(repeating: JSONScanner.Value.number("1"), count: 2_000)
        #expect(try long.object(keeping: ["a.b"]) == ["a.b": .array(ones)])
        var cut = Array(text.utf8)
        while !cut.isEmpty {
            cut.removeLast()
            var scanner = JSONScanner(cut)
            #expect(throws: JSONScanner.Failure.self) { try scanner.object(keeping: ["a.b"]) }
        }
    }

    @Test(arguments: [
        "", " ", "1", "[]", "null", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{"a":1 "b":2}"#,
        #"{"a":01}"#, #"{"a":1.}"#, #"{"a":1e}"#, #"{"a":-}"#, #"{"a":+1}"#, #"{"a":"x}"#,
        #"{"a":"\x"}"#, #"{"a":"\u12"}"#, #"{"a":"\u+123"}"#, #"{"a":tru}"#, #"{"a":[1,]}"#,
        #"{a:1}"#, #"{"a":1}}"#, "{\"a\":\"\n\"}", #"{"a":"\"#, #"{"a":NaN}"#,
    ])
    func othersAreRefused(text: String) {
        #expect(throws: JSONScanner.Failure.self) { try scan(text) }
    }

    @Test func nestingIsBounded() throws {
        func nested(_ depth: Int) -> String {
            #"{"c":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
                + "}"
        }
        #expect(try scan(nested(500)) == [:])
        #expect(throws: JSONScanner.Failure.self) { try scan(nested(100_000)) }
        let deep = String(repeating: #"{"a":"#, count: 100_000)
        var scanner = JSONScanner(Array(deep.utf8))
        let path = Array(repeating: "a", count: 1_000).joined(separator: ".")
        #expect(throws: JSONScanner.Failure.self) { try scanner.object(keeping: [path]) }
    }

    /// Damaged documents must never crash, and whatever Foundation reads, the scanner must read
    /// alike.
    @Test(arguments: [UInt64(1), 2, 3]) func damagedDocuments(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let document = #"{"a":"x\u00e9\ud83e\udd86","c":[1,-2.5e3,{"d":null}],"b":"é"}"#
        for _ in 0..<3000 {
            var bytes = Array(document.utf8)
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                if bytes.isEmpty { break }
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes = Array(bytes[..<max(place, 1)])
                }
            }
            var scanner = JSONScanner(bytes)
            let mine = try? scanner.object(keeping: ["a", "b"])
            guard !scanner.isRepaired,
                let theirs = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            else { continue }
            for case (let name, let text as String) in theirs where name == "b" {
                #expect(mine?[name] == .string(text), "seed \(seed): \(bytes)")
            }
        }
    }
}
