import ArgumentParser

/// `--index`, which every subcommand takes.
struct IndexOption: ParsableArguments {
    @Option(
        name: [.customLong("index"), .customShort("i")],
        help: ArgumentHelp("The folder of the index.", valueName: "dir"),
        completion: .directory)
    var path: String

    func validate() throws {
        if path.isEmpty { throw ValidationError("--index needs the name of a folder") }
    }
}
