import ArgumentParser
import TextIndexCommand

/// The command without `serve`, which `make demo` runs: it is built without the server and its packages.
@main
struct Demonstration: TextIndexProgram {}
