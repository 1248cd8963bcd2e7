// swift-tools-version: 6.2
import PackageDescription

// Programs that use the library as an application would: compiled and run by continuous integration.
let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "TextSearch", path: "..")],
    targets: [
        .executableTarget(name: "Recipes", dependencies: ["TextSearch"]),
        .executableTarget(name: "Readme", dependencies: ["TextSearch"]),
    ]
)
