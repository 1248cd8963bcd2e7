import Foundation
// Whoever draws from the generator that all tests share needs its members.
@_exported public import PowerCuts

/// The seeds of a property test: `SEED` of the environment alone, or the first of a fixed few, all
/// of them in `make nightly`.
func testSeeds(_ count: Int) -> [UInt64] {
    if let text = ProcessInfo.processInfo.environment["SEED"], let seed = UInt64(text) {
        return [seed]
    }
    return (1...UInt64(Scale.sample(of: count))).map { $0 &* 7919 }
}

/// A new path in the temporary directory; nothing is there.
func temporaryDirectory(_ name: String) -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(UUID().uuidString)")
}
