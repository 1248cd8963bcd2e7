// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Of what the command and its server alone are made.
let command = TargetDependencyCondition.when(traits: ["Command"])
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser", condition: command)

/// Of what the library over GRDB is made.
let grdb = Target.Dependency.product(
    name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["GRDB"]))

let package = Package(
    name: "TextSearch",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "TextSearch", targets: ["TextSearch"]),
        .library(name: "TextSearchGRDB", targets: ["TextSearchGRDB"]),
        .executable(name: "textindex", targets: ["textindex"]),
    ],
    traits: [
        .trait(
            name: "Command",
            description:
                "The command textindex and its server. Without it the library needs two packages."),
        .trait(
            name: "GRDB",
            description: "TextSearchGRDB: an index that follows a table of an SQLite database."),
        .default(enabledTraits: ["Command"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        // Of the trait Command: the others serve textindex serve.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.20.0", traits: []),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.6.0"),
        // Of the trait GRDB.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ],
    targets: [
        .target(
            name: "CLevelDB",
            path: "CLevelDB",
            linkerSettings: [.linkedLibrary("leveldb"), .linkedLibrary("snappy")]
        ),
        // What all tests share: a disk that loses its power, how much the long tests do, and random
        // numbers.
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
        .target(name: "CPrefetch", path: "CPrefetch"),
        .target(name: "CUnicode", path: "CUnicode"),
        .target(name: "CStemmer", path: "CStemmer", linkerSettings: [.linkedLibrary("stemmer")]),
        .target(name: "LevelDB", dependencies: ["CLevelDB"], swiftSettings: settings),
        .target(
            name: "TextSearch",
            dependencies: [
                "CPrefetch",
                "CStemmer",
                "CUnicode",
                "LevelDB",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings
        ),
        // An index that follows a table; empty without the trait GRDB.
        .target(
            name: "TextSearchGRDB", dependencies: ["TextSearch", grdb], swiftSettings: settings),
        // The files of the search page, which are built in.
        .target(name: "CWeb", path: "CWeb"),
        // What the command and the server have in common.
        .target(
            name: "TextIndexInterface", dependencies: ["TextSearch"], swiftSettings: settings),
        .target(
            name: "TextIndexServer",
            dependencies: [
                "CWeb",
                "TextIndexInterface",
                "TextSearch",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types", condition: command),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: command),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio", condition: command),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: command),
                .product(name: "NIOPosix", package: "swift-nio", condition: command),
                .product(
                    name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: command
                ),
            ],
            exclude: ["Web"],
            swiftSettings: settings
        ),
        // The command, but for `serve`. It follows databases with the trait GRDB alone.
        .target(
            name: "TextIndexCommand",
            dependencies: [
                "TextIndexInterface", "TextSearch", "TextSearchGRDB", argumentParser, grdb,
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "textindex",
            dependencies: [
                "TextIndexCommand", "TextIndexInterface", "TextIndexServer", argumentParser,
            ],
            swiftSettings: settings
        ),
        // The command without the server's packages, which `make demo` builds in half the time.
        .executableTarget(
            name: "Demonstration", dependencies: ["TextIndexCommand", argumentParser],
            path: "Demo/Command", swiftSettings: settings
        ),
        .executableTarget(
            name: "Benchmark",
            dependencies: [
                "LevelDB",
                "TextSearch",
                "TextSearchGRDB",
                argumentParser,
                grdb,
            ],
            path: "Benchmarks/Benchmark",
            swiftSettings: settings
        ),
        // Programs that print what their comments say: `make recipes`. They see what an application sees.
        .executableTarget(
            name: "Readme", dependencies: ["TextSearch"], path: "Examples/Readme",
            packageAccess: false, swiftSettings: settings
        ),
        .executableTarget(
            name: "Notes", dependencies: ["TextSearch", "TextSearchGRDB", grdb],
            path: "Examples/Notes", packageAccess: false, swiftSettings: settings
        ),
        // Code of the documents, which is compiled and never run: `make documents` compares.
        .target(
            name: "ComingFrom", dependencies: ["TextSearch", "TextSearchGRDB", grdb],
            path: "Examples/ComingFrom", packageAccess: false, swiftSettings: settings
        ),
        .executableTarget(
            name: "Recipes", dependencies: ["TextSearch"], path: "Examples/Recipes",
            packageAccess: false, swiftSettings: settings
        ),
        .testTarget(
            name: "LevelDBTests",
            dependencies: ["LevelDB", "PowerCuts"],
            swiftSettings: settings
        ),
        // The library's tests are three modules, which compile beside each other, and what they
        // have in common.
        .testTarget(
            name: "TestSupport",
            dependencies: ["TextSearch", "PowerCuts"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AnalysisTests",
            dependencies: ["TextSearch", "CUnicode", "LevelDB", "PowerCuts", "TestSupport"],
            resources: [.copy("Fixtures")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SearchTests",
            dependencies: ["TextSearch", "LevelDB", "PowerCuts", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StorageTests",
            dependencies: ["TextSearch", "LevelDB", "PowerCuts", "TestSupport"],
            resources: [.copy("Fixtures")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TextSearchGRDBTests",
            dependencies: ["TextSearch", "TextSearchGRDB", "PowerCuts", grdb],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "CWeb",
                "PowerCuts",
                "TextIndexInterface",
                "TextIndexServer",
                "TextSearch",
                .product(name: "HTTPTypes", package: "swift-http-types", condition: command),
                .product(name: "NIOCore", package: "swift-nio", condition: command),
                .product(name: "NIOEmbedded", package: "swift-nio", condition: command),
                .product(name: "NIOPosix", package: "swift-nio", condition: command),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CommandTests",
            dependencies: [
                "LevelDB", "PowerCuts", "TextIndexCommand", "TextIndexInterface", "textindex", grdb,
            ],
            swiftSettings: settings
        ),
    ],
    cxxLanguageStandard: .cxx17
)
