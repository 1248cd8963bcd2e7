import Foundation

/// What is fuzzed; `FUZZ_TARGET` in the environment names it.
enum Target: String, CaseIterable {
    case query, records, postings, lines, analysis

    static let chosen: Target = {
        let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? ""
        guard let target = Target(rawValue: name) else {
            fatalError("FUZZ_TARGET is none of \(allCases.map(\.rawValue))")
        }
        return target
    }()

    /// Feeds the code under test; whatever it is given, it neither traps nor breaks what it promises.
    func run(_ input: UnsafeRawBufferPointer) {
        switch self {
        case .query: fuzzQuery(input)
        case .records: fuzzRecords(input)
        case .postings: fuzzPostings(input)
        case .lines: fuzzLines(input)
        case .analysis: fuzzAnalysis(input)
        }
    }
}

/// What libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // libFuzzer's buffer, valid during the call.
    Target.chosen.run(UnsafeRawBufferPointer(start: start, count: count))
    return 0
}
