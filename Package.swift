// swift-tools-version: 6.2
import PackageDescription

// One release build is run, tested and packed: tests see what is internal there too.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-enable-testing"], .when(configuration: .release)),
]

// Tests, and work done once: not worth minutes of optimising before a first verdict.
let unhurriedSettings = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// Swift is inside: machines that run it need none, and calls into it cost a quarter less of the reading of a playlist.
// The parts of Foundation are named, since only modules that are compiled to be static name them.
let staticSwift: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-stdlib", "-lCoreFoundation", "-l_FoundationCShims", "-l_FoundationCollections",
            "-lFoundationInternationalization", "-lFoundationEssentials", "-l_FoundationICU",
            "-Xlinker", "--build-id=none", "-Xlinker", "-z", "-Xlinker", "now",
        ],
        .when(configuration: .release)
    )
]

let package = Package(
    name: "podswarm",
    products: [
        .executable(name: "podswarm", targets: ["podswarm"]),
        .executable(name: "podswarm-benchmarks", targets: ["podswarm-benchmarks"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        .executableTarget(
            name: "podswarm",
            dependencies: [
                "AdServing", "Comparison", "HLS", "Origin", "Profile", "Rehearsal", "Report", "Results",
                "Rules",
                "Swarm", "Tools", "Transport", "Values", "Viewer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: unhurriedSettings,
            // A quarter of the size; podswarm-benchmarks shows where time goes.
            linkerSettings: staticSwift + [.unsafeFlags(["-Xlinker", "-s"], .when(configuration: .release))]
        ),
        .executableTarget(
            name: "podswarm-benchmarks",
            dependencies: ["Benchmarks"],
            swiftSettings: settings,
            linkerSettings: staticSwift
        ),
        // Measures podswarm beside wrk and h2load, on the same nginx in the same run.
        .target(
            name: "Benchmarks",
            dependencies: [
                "AdServing", "Audit", "CLinux", "HLS", "Profile", "Results", "Rules", "Swarm", "Transport",
                "Values", "Viewer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        // One run or one search, alone or as a shard.
        .target(
            name: "Rehearsal",
            dependencies: [
                "AdServing", "CLinux", "Comparison", "HLS", "Origin", "Profile", "Report", "Results",
                "Rules",
                "Swarm",
                "Transport", "Values", "Viewer",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: unhurriedSettings
        ),
        // Work without viewers: streams against rules, drafted profiles, audiences from logs, sizing.
        .target(
            name: "Tools",
            dependencies: [
                "AdServing", "CTexts", "CZlib", "HLS", "Profile", "Report", "Results", "Rules", "Swarm", "Transport",
                "Values",
            ],
            swiftSettings: settings
        ),
        // Text, Markdown, HTML, and formats of other tools. Pure.
        .target(
            name: "Report",
            dependencies: ["CTexts", "Comparison", "Results", "Rules", "Values"],
            resources: [.copy("Templates"), .copy("Schema")],
            swiftSettings: unhurriedSettings
        ),
        // Statistics over results: verdicts between releases, trend, drift, capacity. Pure.
        .target(
            name: "Comparison",
            dependencies: ["Results", "Rules", "Values"],
            swiftSettings: settings
        ),
        // A run measured and judged; versioned documents, the journal. Pure.
        .target(
            name: "Results",
            dependencies: ["AdServing", "CLinux", "CZlib", "Rules", "Values"],
            swiftSettings: settings
        ),
        // The audience over event loops or a virtual clock; the bill of a plan.
        .target(
            name: "Swarm",
            dependencies: [
                "AdServing", "Audit", "CLinux", "HLS", "Origin", "Profile", "Results", "Rules", "Transport", "Values",
                "Viewer",
            ],
            swiftSettings: settings
        ),
        // Answers against the rules and other answers. Pure.
        .target(
            name: "Audit",
            dependencies: ["AdServing", "HLS", "Profile", "Results", "Rules", "Transport", "Values", "Viewer"],
            swiftSettings: settings
        ),
        // One viewer, and state that all viewers share. Pure.
        .target(
            name: "Viewer",
            dependencies: ["AdServing", "HLS", "Profile", "Rules", "Values"],
            swiftSettings: settings
        ),
        // The reference ad-break origin.
        .target(
            name: "Origin",
            dependencies: [
                "AdServing", "CZlib", "HLS", "Profile", "Rules", "Transport", "Values",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            resources: [.copy("Media")],
            swiftSettings: settings
        ),
        // HTTP clients (HTTP/1.1, HTTP/2, libcurl) on event loops, and servers (NIO).
        .target(
            name: "Transport",
            dependencies: [
                "CCurl", "CLinux", "CNames", "CNGHTTP2", "COpenSSL", "CZlib", "Rules", "Values",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        // YAML profile to validated plan, all mistakes at once. Pure.
        .target(
            name: "Profile",
            dependencies: ["AdServing", "CTexts", "Rules", "Values", .product(name: "Yams", package: "Yams")],
            swiftSettings: unhurriedSettings
        ),
        // Registration, pod identifiers, break schedules, tokens, tracking. Pure.
        .target(name: "AdServing", dependencies: ["HLS", "Values"], swiftSettings: settings),
        // Findings, outcomes, counts, conformance of playlists, thresholds. Pure.
        .target(
            name: "Rules",
            dependencies: ["AdServing", "CTexts", "HLS", "Values"],
            swiftSettings: settings
        ),
        // Tables and texts that are embedded.
        .target(name: "CTexts", exclude: ["Texts"]),
        // Playlists: parser, model, writer, reload rules; timed metadata. Pure.
        .target(name: "HLS", dependencies: ["CTexts", "Values"], swiftSettings: settings),
        // Instants, JSON, text, seeds, digests. Pure.
        .target(name: "Values", dependencies: ["COpenSSL"], swiftSettings: settings),
        // epoll, timerfd, prctl and malloc_trim, which the Glibc module omits.
        .target(name: "CLinux"),
        // c-ares's header would take the socket types away from the Glibc module.
        .target(name: "CNames", dependencies: ["CCares"], linkerSettings: [.linkedLibrary("cares")]),
        .systemLibrary(name: "CCares", pkgConfig: "libcares", providers: [.apt(["libc-ares-dev"])]),
        // With one inline function for each variadic call.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        // HTTP/2 framing and header compression.
        .systemLibrary(name: "CNGHTTP2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        .target(
            name: "TestSupport",
            dependencies: ["CPrograms", "HLS", "Results", "Values"],
            path: "Tests/TestSupport",
            swiftSettings: unhurriedSettings
        ),
        .target(name: "CPrograms", path: "Tests/CPrograms"),

        .testTarget(
            name: "BreakCallsTests",
            dependencies: ["AdServing", "Profile", "Rehearsal", "Results", "TestSupport", "Values", "Viewer"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(name: "WordingTests", dependencies: ["Values"], swiftSettings: unhurriedSettings),
        .testTarget(name: "TimeTests", dependencies: ["Values"], swiftSettings: unhurriedSettings),
        .testTarget(
            name: "DestinationsTests",
            dependencies: ["TestSupport", "Transport"],
            exclude: ["Hosts"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(name: "CurvesTests", dependencies: ["Profile", "Values"], swiftSettings: unhurriedSettings),
        .testTarget(
            name: "RendezvousTests",
            dependencies: ["AdServing", "Rehearsal", "Results", "TestSupport", "Transport", "Values"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "HLSTests",
            dependencies: ["HLS", "Rules", "TestSupport"],
            exclude: ["Playlists", "Sections"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["AdServing", "HLS", "Rules", "TestSupport"],
            exclude: ["Cases", "Field"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "CookiesTests",
            dependencies: ["TestSupport", "Transport"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "HTTP2Tests",
            dependencies: ["TestSupport", "Transport"],
            exclude: ["Conversations"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(name: "JSONTests", dependencies: ["TestSupport", "Values"], swiftSettings: unhurriedSettings),
        .testTarget(
            name: "AdServingTests",
            dependencies: ["AdServing", "HLS", "TestSupport", "Values"],
            exclude: ["AssetLists", "PlayedAddresses", "Redactions"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "LoadProfileTests",
            dependencies: ["AdServing", "Profile", "Rules", "TestSupport", "Values"],
            exclude: ["Curves", "PlanDigests", "ProfileCases"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "TimedMetadataTests",
            dependencies: ["HLS", "TestSupport"],
            exclude: ["Fixtures"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "RulebookTests",
            dependencies: ["Rules", "TestSupport"],
            exclude: ["findings.txt"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "ThresholdsTests",
            dependencies: ["Rules", "TestSupport"],
            exclude: ["refused-thresholds.txt"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "RecordingTests",
            dependencies: ["ExampleRuns", "Results", "Rules", "TestSupport", "Values"],
            exclude: ["Refused"],
            swiftSettings: unhurriedSettings
        ),
        // Everything that a result can say.
        .target(
            name: "ExampleRuns",
            dependencies: ["Results", "Rules", "TestSupport", "Values"],
            path: "Tests/ExampleRuns",
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "RunResultTests",
            dependencies: ["ExampleRuns", "Report", "Results", "Rules", "TestSupport", "Values"],
            exclude: ["Goldens", "Readers", "Rules"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "RunJournalTests",
            dependencies: ["AdServing", "ExampleRuns", "Results", "Rules", "TestSupport", "Values"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "ComparisonTests",
            dependencies: ["Comparison", "ExampleRuns", "Results", "Rules", "TestSupport", "Values"],
            exclude: ["Figures", "Goldens"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "CapacityTests",
            dependencies: ["Comparison", "Results", "TestSupport", "Values"],
            exclude: ["Goldens"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "CapacityResultTests",
            dependencies: ["Comparison", "ExampleRuns", "Results", "Rules", "TestSupport"],
            exclude: ["Goldens"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "CapacityRunsTests",
            dependencies: [
                "Comparison", "ExampleRuns", "Profile", "Rehearsal", "Results", "Rules", "TestSupport",
                "Values",
            ],
            exclude: ["Goldens"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "LiveViewTests",
            dependencies: ["Rehearsal", "Report", "Results", "Rules", "TestSupport", "Transport", "Values"],
            exclude: ["Goldens"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "RunLibraryTests",
            dependencies: ["Comparison", "Results", "TestSupport", "Values"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "LibraryServingTests",
            dependencies: ["Comparison", "Rehearsal", "TestSupport", "Transport", "Values"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "ReportTests",
            dependencies: [
                "Comparison", "ExampleRuns", "Rehearsal", "Report", "Results", "Rules", "Swarm", "TestSupport",
                "Tools", "Values",
            ],
            exclude: ["Goldens", "Readers"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "BenchmarksTests",
            dependencies: ["Benchmarks", "HLS", "Results", "Rules", "TestSupport", "Values"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "EventLoopTests",
            dependencies: ["TestSupport", "Transport", "Values"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "TransportTests",
            dependencies: ["Rules", "TestSupport", "Transport", "Values"],
            exclude: ["Answers", "nginx.conf"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "HTTPServingTests",
            dependencies: [
                "TestSupport", "Transport", "Values", .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "OriginTests",
            dependencies: [
                "AdServing", "HLS", "Origin", "Profile", "Rules", "TestSupport", "Transport", "Values",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
            ],
            exclude: ["Conversations", "PlansWithMistakes", "routes.txt", "tls_client.py"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "SwarmTests",
            dependencies: [
                "AdServing", "Audit", "HLS", "Origin", "Profile", "Report", "Results", "Rules",
                "Swarm", "TestSupport", "Tools", "Transport", "Values", "Viewer",
            ],
            exclude: [
                "Cases", "Interstitials/Cases", "SameFindings/README.md", "SameFindings/media-playlists.txt",
                "SameFindings/multivariant-playlists.txt", "WireTraces/Goldens",
            ],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "BillingTests",
            dependencies: [
                "Origin", "Profile", "Rehearsal", "Results", "Rules", "Swarm", "TestSupport", "Transport",
                "Values", "Viewer",
            ],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "AudienceLogTests",
            dependencies: ["AdServing", "Profile", "TestSupport", "Tools", "Values"],
            exclude: ["LogLines"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(
            name: "StreamToolsTests",
            dependencies: ["AdServing", "HLS", "Profile", "Rules", "TestSupport", "Tools", "Transport"],
            swiftSettings: unhurriedSettings
        ),
        .testTarget(name: "SizingTests", dependencies: ["Swarm", "Tools"], swiftSettings: unhurriedSettings),
        // Only the documents of runs and searches are imported.
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["Comparison", "Results", "Rules", "TestSupport", "Values"],
            exclude: ["Clock", "Pages", "Python", "Transcripts", "Version1"],
            swiftSettings: unhurriedSettings
        ),
    ]
)
