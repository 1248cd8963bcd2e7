// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "TextSearch",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "TextSearch", targets: ["TextSearch"]),
        .executable(name: "textindex", targets: ["textindex"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    ],
    targets: [
        .target(
            name: "CLevelDB",
            path: "CLevelDB",
            linkerSettings: [.linkedLibrary("leveldb"), .linkedLibrary("snappy")]
        ),
        // A disk that loses its power, and how much the long tests do.
        .target(
            name: "CrashSimulator",
            dependencies: ["CLevelDB"],
            path: "Tests/CrashSimulator",
            cxxSettings: [.headerSearchPath("../../CLevelDB")]
        ),
        .target(
            name: "PowerCuts",
            dependencies: ["CrashSimulator"],
            path: "Tests/PowerCuts",
            swiftSettings: settings
        ),
        .target(name: "CStemmer", path: "CStemmer", linkerSettings: [.linkedLibrary("stemmer")]),
        .target(name: "LevelDB", dependencies: ["CLevelDB"], swiftSettings: settings),
        .target(
            name: "TextSearch",
            dependencies: [
                "CStemmer",
                "LevelDB",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "textindex",
            dependencies: [
                "TextSearch",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "Benchmark",
            dependencies: [
                "LevelDB",
                "TextSearch",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Benchmarks/Benchmark",
            swiftSettings: settings
        ),
        .testTarget(
            name: "LevelDBTests",
            dependencies: ["LevelDB", "PowerCuts"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TextSearchTests",
            dependencies: ["TextSearch", "LevelDB", "PowerCuts"],
            resources: [.copy("Fixtures")],
            swiftSettings: settings
        ),
        .testTarget(name: "CommandTests", dependencies: ["textindex"], swiftSettings: settings),
    ],
    cxxLanguageStandard: .cxx17
)
