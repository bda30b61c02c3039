// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "podswarm",
    products: [
        .executable(name: "podswarm", targets: ["podswarm"]),
        .executable(name: "podswarm-benchmarks", targets: ["Benchmarks"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // The command line: arguments, wiring, signals, exit codes.
        .executableTarget(
            name: "podswarm",
            dependencies: [
                "Swarm", "Origin", "Report", "LiveView", "Comparison", "LoadProfile", "Measurement", "EventLoop",
                "Transport", "AdServing", "HLS", "Conformance",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        // podswarm's figures beside those of wrk, h2load and hey, on the same nginx in the same run.
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Swarm", "Comparison", "Conformance", "LoadProfile", "Measurement", "EventLoop", "Transport",
                "AdServing",
                "HLS", "CLinux",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        // Viewer machines, the audience, break rendezvous, sharding over loops, the generator's own health.
        .target(
            name: "Swarm",
            dependencies: [
                "Transport", "EventLoop", "HLS", "AdServing", "Conformance", "LoadProfile", "Measurement", "CLinux",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: settings
        ),
        // HTTP on an event loop: an own HTTP/1.1 exchange, libcurl for the rest; every viewer keeps its own connections.
        .target(
            name: "Transport",
            dependencies: [
                "EventLoop", "CCurl", "COpenSSL", "CZlib",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: settings
        ),
        // One serial queue that owns one epoll: readiness, deadlines, clock, shutdown.
        .target(name: "EventLoop", dependencies: ["CLinux"], swiftSettings: settings),
        // The reference ad-break origin: live channel, registration, pods, planned faults, ground truth.
        .target(
            name: "Origin",
            dependencies: [
                "HLS", "AdServing", "CZlib",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "HummingbirdTLS", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "X509", package: "swift-certificates"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "Yams", package: "Yams"),
            ],
            resources: [.copy("Media")],
            swiftSettings: settings
        ),
        // A run while it goes: the live page and the metrics endpoint.
        .target(
            name: "LiveView",
            dependencies: [
                "Report", "Measurement",
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings
        ),
        // Result and comparison documents as terminal text, HTML, and what other tools read.
        .target(
            name: "Report",
            dependencies: [
                "Measurement", "Comparison",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Mustache", package: "swift-mustache"),
            ],
            resources: [.copy("Templates"), .copy("Schema")],
            swiftSettings: settings
        ),
        // Statistics over sets of results: verdicts between releases, trend and drift. Pure.
        .target(
            name: "Comparison",
            dependencies: ["Measurement"],
            resources: [.copy("Schema")],
            swiftSettings: settings
        ),
        // The ad side's language: registration, pod identifiers, break schedules, tokens, tracking. Pure.
        .target(name: "AdServing", dependencies: ["HLS", "COpenSSL"], swiftSettings: settings),
        // Playlists: one-pass byte parser, model, writer, reload rules. Pure.
        .target(name: "HLS", swiftSettings: settings),
        // Whether playlists keep the rules: one alone, its versions, renditions side by side. Pure.
        .target(name: "Conformance", dependencies: ["HLS", "Measurement"], swiftSettings: settings),
        // YAML profile to an immutable, fully validated plan; all mistakes at once. Pure.
        .target(
            name: "LoadProfile",
            dependencies: [
                .product(name: "Yams", package: "Yams"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings
        ),
        // Histograms, counters, the consistency ledger, thresholds, the versioned result document. Pure.
        .target(
            name: "Measurement",
            dependencies: ["CZlib", .product(name: "Histogram", package: "hdrhistogram-swift")],
            resources: [.copy("Schema")],
            swiftSettings: settings
        ),

        // epoll, timerfd, prctl and malloc_trim, which the Glibc module leaves out.
        .target(name: "CLinux"),
        // libcurl, with one inline function for each variadic call.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        // OpenSSL's HMAC and TLS.
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        // zlib: compression in one go, decompression as bytes come.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // Programs that tests start.
        .target(name: "Programs", dependencies: ["CPrograms"], path: "Tests/Programs", swiftSettings: settings),
        .target(name: "CPrograms", path: "Tests/CPrograms"),

        .testTarget(
            name: "HLSTests",
            dependencies: ["Conformance", "HLS", "Measurement"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["Conformance", "HLS", "Measurement"],
            swiftSettings: settings
        ),
        .testTarget(name: "AdServingTests", dependencies: ["AdServing", "HLS"], swiftSettings: settings),
        .testTarget(name: "LoadProfileTests", dependencies: ["LoadProfile", "Programs"], swiftSettings: settings),
        .testTarget(
            name: "MeasurementTests",
            dependencies: ["Measurement", "Programs"],
            exclude: ["Goldens"],
            swiftSettings: settings
        ),
        .testTarget(name: "ComparisonTests", dependencies: ["Comparison", "Measurement"], swiftSettings: settings),
        .testTarget(
            name: "LiveViewTests",
            dependencies: ["LiveView", "Report", "Measurement"],
            exclude: ["Goldens"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ReportTests",
            dependencies: ["Report", "Comparison", "Measurement", "Programs"],
            exclude: ["Goldens"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BenchmarksTests",
            dependencies: ["Benchmarks", "Comparison", "HLS", "Measurement"],
            swiftSettings: settings
        ),
        .testTarget(name: "EventLoopTests", dependencies: ["EventLoop"], swiftSettings: settings),
        .testTarget(name: "TransportTests", dependencies: ["Transport", "EventLoop"], swiftSettings: settings),
        .testTarget(
            name: "OriginTests",
            dependencies: [
                "Origin", "Conformance", "HLS", "AdServing", "Measurement", "Programs",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SwarmTests",
            dependencies: [
                "Swarm", "AdServing", "Conformance", "EventLoop", "HLS", "LoadProfile", "Measurement", "Origin",
                "Transport",
            ],
            exclude: ["WireTraces/Goldens"],
            swiftSettings: settings
        ),
        // Run the built executable and external programs; nothing is imported but the result document.
        .testTarget(name: "EndToEndTests", dependencies: ["Measurement", "Programs"], swiftSettings: settings),
    ]
)
