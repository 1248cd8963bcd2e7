package import ArgumentParser

/// `--index` and how it is opened, which every subcommand takes.
package struct IndexOption: ParsableArguments {
    @Option(
        name: [.customLong("index"), .customShort("i")],
        help: ArgumentHelp("The folder of the index.", valueName: "dir"),
        completion: .directory)
    package var path: String

    @OptionGroup package var opening: OpeningOptions

    package init() {}

    /// What the options would say.
    package init(path: String, opening: OpeningOptions) {
        self.path = path
        self.opening = opening
    }

    package func validate() throws {
        if path.isEmpty { throw ValidationError("--index needs the name of a folder") }
    }
}

/// How the files of an index are opened.
package struct OpeningOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How long to wait while another process has the index open.", valueName: "seconds"))
    package var wait = 5.0

    @Option(
        name: .customLong("trusted-owner"),
        help: ArgumentHelp(
            "Another user, by number, whose published index may be read (repeatable). You need permission to read its files, too.",
            valueName: "uid"))
    package var trustedOwners: [UInt32] = []

    package init() {}

    /// What the options would say.
    package init(wait: Double, trustedOwners: [UInt32] = []) {
        self.wait = wait
        self.trustedOwners = trustedOwners
    }

    package func validate() throws {
        guard (0...1e6).contains(wait) else {
            throw ValidationError("--wait must be from 0 to 1000000 seconds")
        }
    }
}
