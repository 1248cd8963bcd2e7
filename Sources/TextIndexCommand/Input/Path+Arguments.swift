extension Path {
    /// The paths that arguments name, byte for byte.
    ///
    /// Arguments arrive as text in which every byte that is not UTF-8 was replaced; what they were
    /// is looked up among the arguments of the process.
    ///
    /// - Parameters:
    ///   - arguments: arguments, or values of options, in their order.
    ///   - raw: the arguments of the process.
    /// - Returns: a path for each of them.
    static func named(
        by arguments: [String], raw: @autoclosure () -> [Path] = processArguments
    ) -> [Path] {
        guard arguments.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }) else {
            return arguments.map { Path($0) }
        }
        var candidates = raw().flatMap { [$0] + ($0.optionValue.map { [$0] } ?? []) }
        return arguments.map { argument in
            let wanted = Path(argument)
            let place = candidates.firstIndex { Path($0.text) == wanted }
            // Each only once: two names may look alike once they are text.
            return place.map { candidates.remove(at: $0) } ?? wanted
        }
    }

    /// The arguments of the process as they came.
    private static var processArguments: [Path] {
        (0..<Int(CommandLine.argc)).compactMap {
            CommandLine.unsafeArgv[$0].map { Path(cString: $0) }
        }
    }

    /// The value in `--option=value`.
    private var optionValue: Path? {
        guard bytes.starts(with: Array("--".utf8)),
            let sign = bytes.firstIndex(of: UInt8(ascii: "="))
        else { return nil }
        return Path(bytes: bytes[(sign + 1)...])
    }
}
