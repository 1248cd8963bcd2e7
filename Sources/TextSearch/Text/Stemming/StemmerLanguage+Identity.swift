extension StemmerLanguage {
    /// What goes into the analyzer's fingerprint: the name of the language, and a hash over what
    /// the installed libstemmer makes of the language's probe words, so that an index is not
    /// searched with other stems than it was built with.
    ///
    /// Not every change of an algorithm shows in a few words; the probes are chosen among those
    /// that did change between versions.
    ///
    /// Complexity: the identities of all languages are made once, in a few milliseconds.
    var identity: String { Self.identities[self] ?? rawValue }

    private static let identities: [StemmerLanguage: String] = Dictionary(
        uniqueKeysWithValues: allCases.map { ($0, $0.makeIdentity()) })

    private func makeIdentity() -> String {
        guard let stemmer = try? Stemmer(self) else { return "\(rawValue) unavailable" }
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        var stem: [UInt8] = []
        for word in StemmerProbes.words(self).split(separator: " ") {
            Array(word.utf8).withUnsafeBufferPointer { stemmer.stem($0, into: &stem) }
            stem.forEach(add)
            // No stem holds one.
            add(0)
        }
        let digits = String(hash, radix: 16)
        return "\(rawValue) \(String(repeating: "0", count: 16 - digits.count))\(digits)"
    }
}
