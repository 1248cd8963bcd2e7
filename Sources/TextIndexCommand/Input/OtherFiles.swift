/// The files in folders that were passed over, by the endings of their names.
struct OtherFiles {
    /// So many kinds are told apart.
    private static let mostKinds = 1_000
    private static let mostShown = 6
    /// What is longer is no kind.
    private static let longestSuffix = 12

    private var counts: [String: Int] = [:]
    private var count = 0

    /// Counts a file.
    mutating func add(_ path: Path) {
        count += 1
        let suffix = path.suffix
        guard suffix.count <= Self.longestSuffix,
            counts[suffix] != nil || counts.count < Self.mostKinds
        else { return }
        counts[suffix, default: 0] += 1
    }

    /// How many there are, with the most frequent kinds; nil where there are none.
    var summary: String? {
        guard count > 0 else { return nil }
        let kinds = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let shown = kinds.prefix(Self.mostShown)
        var parts = shown.map { suffix, count in
            "\(Format.count(count)) "
                + (suffix.isEmpty ? "without an ending" : "." + Printable.line(suffix))
        }
        let rest = count - shown.reduce(0) { $0 + $1.value }
        if rest > 0 { parts.append("\(Format.count(rest)) others") }
        return "passed over \(Format.count(count, "file")) of other kinds: "
            + parts.joined(separator: ", ")
    }
}
