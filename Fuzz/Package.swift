// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that nobody who depends on the library resolves or builds it. See `make fuzz`.
let package = Package(
    name: "Fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "TextSearch", path: "..", traits: [])],
    targets: [
        .executableTarget(
            name: "Fuzz",
            dependencies: [.product(name: "TextSearch", package: "TextSearch")],
            swiftSettings: [
                .swiftLanguageMode(.v6),
                .enableUpcomingFeature("ExistentialAny"),
            ]
        )
    ]
)
