// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// What does its work once, before or after a run, is not worth a minute of optimising before a newcomer's first verdict.
let unhurriedSettings = settings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// Code that computes more than it waits: with four of these unoptimised, unit tests take 198 s in place of 108 s.
let optimisedSettings = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
    name: "podswarm",
    products: [
        .executable(name: "podswarm", targets: ["podswarm"]),
        .executable(name: "podswarm-benchmarks", targets: ["Benchmarks"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // The command line: arguments, wiring, signals, exit codes.
        .executableTarget(
            name: "podswarm",
            dependencies: [
                "AdServing", "Audience", "Billing", "Capacity", "CapacityResult", "CapacityRuns", "Comparison",
                "Console", "EventLoop", "HLS", "JSON", "LibraryServing", "LiveView", "LoadProfile",
                "Origin", "OriginServing", "Players", "ProfileSyntax", "Recording", "Rehearsal",
                "Rendezvous", "RendezvousClient", "RendezvousServing", "Report", "Rulebook", "RunJournal",
                "RunLibrary", "RunResult", "ServerTLS", "Sizing", "StreamTools", "Swarm", "Thresholds", "Time",
                "Viewer", "Wording",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: unhurriedSettings,
            // Without symbols it is a quarter of the size; what shows where time goes is podswarm-benchmarks.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-s"], .when(configuration: .release))]
        ),
        // A search for a capacity as runs of a profile: when breaks are and who watches, how they are judged, what is known.
        .target(
            name: "CapacityRuns",
            dependencies: [
                "Capacity", "CapacityResult", "Console", "Curves", "LoadProfile", "Recording", "RunJournal",
                "RunResult", "Thresholds", "Time", "Wording",
            ],
            swiftSettings: unhurriedSettings
        ),
        // One run of a profile, alone or as a shard: the checks before it, the target, what is shown, the written result.
        .target(
            name: "Rehearsal",
            dependencies: [
                "AdServing", "Audience", "Billing", "BreakCalls", "CapacityResult", "Comparison", "Console",
                "Destinations", "EventLoop", "HLS", "JSON", "LiveView", "LoadProfile", "Origin", "Players",
                "ProfileSyntax", "Recording", "Rendezvous", "RendezvousClient", "Report", "Rulebook", "RunJournal",
                "RunResult", "Sockets", "Swarm", "Thresholds", "Time", "Transport", "Viewer", "Wording",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: unhurriedSettings
        ),
        // What commands share at a terminal: what they print, how they end, what a signal asks of them.
        .target(
            name: "Console",
            dependencies: [
                "AdServing", "AudienceLog", "JSON", "Report", "RunResult", "Time", "Wording",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: unhurriedSettings
        ),
        // podswarm's figures beside those of wrk, h2load and hey, on the same nginx in the same run.
        .executableTarget(
            name: "Benchmarks",
            dependencies: [
                "Audience", "Time", "Swarm", "Viewer", "LoadProfile", "EventLoop", "Transport", "AdServing", "HLS",
                "CLinux", "JSON", "Rulebook", "Audit", "Recording", "RunResult", "Destinations", "Wording",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        // The audience over event loops: timers, transport and delivery; the generator's own health.
        .target(
            name: "Swarm",
            dependencies: [
                "Audience", "BodyCoding", "Cookies", "Sockets", "Time", "Viewer", "Transport", "EventLoop", "HLS",
                "AdServing", "Destinations", "LoadProfile", "Players", "Rulebook", "CLinux", "Audit", "Recording",
            ],
            swiftSettings: settings
        ),
        // Streams without viewers: read once or followed, compared with the rules, described, and made a profile of.
        .target(
            name: "StreamTools",
            dependencies: [
                "AdServing", "Conformance", "Destinations", "EventLoop", "HLS", "LoadProfile", "ProfileSyntax",
                "Report", "Rulebook", "Swarm", "Time", "Transport", "Wording",
            ],
            swiftSettings: unhurriedSettings
        ),
        // How the shards of one run meet and agree on its start. Pure but for its folder.
        .target(name: "Rendezvous", dependencies: ["JSON", "Time"], swiftSettings: settings),
        // How many machines an audience needs: a bill times what requests and viewers cost, against what a machine has.
        .target(
            name: "Sizing",
            dependencies: ["Billing", "LoadProfile", "Report", "Swarm", "Time"],
            swiftSettings: unhurriedSettings
        ),
        // A rendezvous behind an address, as a shard sees it, and a shard's clock held against that of its rendezvous.
        .target(
            name: "RendezvousClient",
            dependencies: [
                "JSON", "AdServing", "Destinations", "EventLoop", "Rendezvous", "RunResult", "Swarm", "Time",
                "Transport",
            ],
            swiftSettings: settings
        ),
        // A rendezvous behind an address: its folder served over HTTP.
        .target(
            name: "RendezvousServing",
            dependencies: [
                "JSON", "HTTPServing", "Rendezvous", "ServerTLS",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: unhurriedSettings
        ),
        // All runs of a folder as a page behind an address, each run's page and comparisons made when they are asked for.
        .target(
            name: "LibraryServing",
            dependencies: [
                "CapacityResult", "JSON", "LiveView", "Report", "RunLibrary", "RunResult",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: unhurriedSettings
        ),
        // How breaks are called for while a run goes: over HTTP and by lines, each within bounds.
        .target(
            name: "BreakCalls",
            dependencies: [
                "AdServing", "Audience", "HTTPServing", "JSON", "LoadProfile", "Rendezvous", "Time",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: unhurriedSettings
        ),
        // An audience from the logs of a channel: who came and left when, with which players. Pure but for reading files.
        .target(
            name: "AudienceLog",
            dependencies: ["AdServing", "CZlib", "JSON", "Time", "Wording"],
            swiftSettings: settings
        ),
        // Bill of a plan: the requests of a virtual run against the reference origin.
        .target(
            name: "Billing",
            dependencies: [
                "AdServing", "Audience", "Destinations", "EventLoop", "HLS", "LoadProfile", "Origin", "Rulebook",
                "Swarm", "Time", "Transport", "Viewer",
            ],
            swiftSettings: settings
        ),
        // One viewer: told what happened, it answers what to do. Session, playback, breaks. Pure.
        .target(
            name: "Viewer",
            dependencies: ["Audience", "Breaks", "Time", "HLS", "AdServing", "LoadProfile", "Players", "Rulebook"],
            swiftSettings: settings
        ),
        // One break as one viewer has it: its assets loaded, its ads played, what it came to. Pure.
        .target(
            name: "Breaks",
            dependencies: ["Audience", "Time", "HLS", "AdServing", "LoadProfile", "Players", "Rulebook"],
            swiftSettings: settings
        ),
        // What all viewers of a run share: the plan, the breaks they wait for, playlists read once for all; and the turn in
        // which each acts. Pure.
        .target(
            name: "Audience",
            dependencies: [
                "Time", "Chance", "Curves", "HLS", "AdServing", "Conformance", "LoadProfile", "Players", "Rulebook",
            ],
            swiftSettings: settings
        ),
        // How many watch over time: shapes of audiences, and who comes and goes by them. Pure.
        .target(name: "Curves", dependencies: ["Chance", "Time"], swiftSettings: settings),
        // What answers say when they are held against the rules, the viewer's other answers, and those of the others. Pure.
        .target(
            name: "Audit",
            dependencies: [
                "Audience", "Time", "Recording", "Viewer", "HLS", "AdServing", "Conformance", "LoadProfile",
                "Players", "Rulebook", "TimedMetadata",
            ],
            swiftSettings: settings
        ),
        // HTTP on an event loop: an own HTTP/1.1 exchange, libcurl for the rest; every viewer keeps its own connections.
        .target(
            name: "Transport",
            dependencies: [
                "BodyCoding", "Destinations", "Time", "EventLoop", "Rulebook", "Sockets", "HTTP2", "CCurl", "CLinux",
                .product(name: "DequeModule", package: "swift-collections"),
            ],
            swiftSettings: settings
        ),
        // Where URLs lead, as libcurl reads them, and where load may go.
        .target(name: "Destinations", dependencies: ["CCurl"], swiftSettings: settings),
        // Sockets as clients use them: addresses, connecting, TLS over the system's OpenSSL.
        .target(name: "Sockets", dependencies: ["OpenSSL", "CCurl", "CLinux", "COpenSSL"], swiftSettings: settings),
        // A client's side of an HTTP/2 connection, without its socket. Pure.
        .target(name: "HTTP2", dependencies: ["CNGHTTP2"], swiftSettings: settings),
        // What bodies are wrapped in on the wire, undone as bytes come: chunks, gzip, deflate. Pure.
        .target(name: "BodyCoding", dependencies: ["Rulebook", "CZlib"], swiftSettings: settings),
        // Cookies as servers set and clients send them. Pure.
        .target(name: "Cookies", swiftSettings: settings),
        // One serial queue that owns one epoll: readiness, deadlines, clock, shutdown.
        .target(name: "EventLoop", dependencies: ["Time", "CLinux"], swiftSettings: settings),
        // The reference origin's server: its service behind a port.
        .target(
            name: "OriginServing",
            dependencies: [
                "Origin", "HTTPServing", "ServerTLS",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        // What the reference ad-break origin answers: live channel, registration, pods, planned faults, ground truth.
        .target(
            name: "Origin",
            dependencies: [
                "Time", "HLS", "ProfileSyntax", "AdServing", "JSON", "OpenSSL", "CZlib", "Chance",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            resources: [.copy("Media")],
            swiftSettings: settings
        ),
        // Accepts HTTP/1.1 and HTTP/2 and has each request answered by a task, on NIO's event loops.
        .target(
            name: "HTTPServing",
            dependencies: [
                "ServerTLS",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP2", package: "swift-nio-extras"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
            ],
            swiftSettings: settings
        ),
        // TLS of the origin: a channel handler over the system's OpenSSL, and a certificate that signs itself.
        .target(
            name: "ServerTLS",
            dependencies: [
                "OpenSSL", "COpenSSL",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOTLS", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        // A run while it goes: the live page and the metrics endpoint.
        .target(
            name: "LiveView",
            dependencies: [
                "JSON", "HTTPServing", "Report", "Recording", "Rulebook", "RunResult",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: unhurriedSettings
        ),
        // Result and comparison documents as terminal text, HTML, and what other tools read.
        .target(
            name: "Report",
            dependencies: [
                "CapacityResult", "JSON", "Recording", "Rulebook", "RunLibrary", "RunResult", "Thresholds",
                "Comparison", "OpenSSL", "Wording",
            ],
            resources: [.copy("Templates"), .copy("Schema")],
            swiftSettings: unhurriedSettings
        ),
        // A folder of results as rows: read where they changed, filtered, remembered. Pure but for reading files.
        .target(
            name: "RunLibrary",
            dependencies: [
                "CapacityResult", "Comparison", "JSON", "OpenSSL", "Rulebook", "RunResult", "Time", "Wording",
            ],
            swiftSettings: settings
        ),
        // Statistics over sets of results: verdicts between releases, trend and drift. Pure.
        .target(
            name: "Comparison",
            dependencies: [
                "CapacityResult", "Chance", "JSON", "Recording", "Rulebook", "RunResult", "Statistics", "Thresholds",
            ],
            resources: [.copy("Schema")],
            swiftSettings: settings
        ),
        // How many viewers a target carries, from runs with breaks that were held or missed; and laws of how it scales. Pure.
        .target(name: "Capacity", dependencies: ["Chance", "Statistics"], swiftSettings: optimisedSettings),
        // Distributions that several statistics stand on. Pure.
        .target(name: "Statistics", swiftSettings: settings),
        // The ad side's language: registration, pod identifiers, break schedules, tokens, tracking. Pure.
        .target(name: "AdServing", dependencies: ["Time", "HLS", "JSON", "OpenSSL"], swiftSettings: optimisedSettings),
        // JSON that others wrote, held against limits and read in linear time; documents of podswarm's own. Pure.
        .target(name: "JSON", dependencies: ["CBytes"], swiftSettings: settings),
        // Playlists: one-pass byte parser, model, writer, reload rules. Pure.
        .target(name: "HLS", dependencies: ["Time"], swiftSettings: optimisedSettings),
        // Instants of the two clocks and durations: held, read and written. Pure.
        .target(name: "Time", swiftSettings: settings),
        // What segments carry for moments of their presentation: ID3 in transport streams, event messages in MP4. Pure.
        .target(name: "TimedMetadata", swiftSettings: settings),
        // Whether playlists keep the rules: one alone, its versions, renditions side by side. Pure.
        .target(name: "Conformance", dependencies: ["HLS", "Rulebook"], swiftSettings: optimisedSettings),
        // YAML profile to an immutable, fully validated plan; all mistakes at once. Pure.
        .target(
            name: "LoadProfile",
            dependencies: [
                "AdServing", "Curves", "Players", "ProfileSyntax", "Rulebook", "Wording", "Thresholds", "OpenSSL",
                "Time",
            ],
            swiftSettings: unhurriedSettings
        ),
        // A profile's text as a tree in which each value has its place, with overrides in it; and mistakes, each with its
        // place. Pure.
        .target(
            name: "ProfileSyntax",
            dependencies: ["Time", "Wording", .product(name: "Yams", package: "Yams")],
            swiftSettings: unhurriedSettings
        ),
        // The players that a viewer can be: every number of each, with its source. Pure.
        .target(name: "Players", dependencies: ["ProfileSyntax", "Time", "Wording"], swiftSettings: unhurriedSettings),
        // What can be found, counted and fail, by its stable names: severities, rules, explanations. Pure.
        .target(name: "Rulebook", swiftSettings: settings),
        // The language of thresholds and allowances: which figures there are, and what a profile may ask of them. Pure.
        .target(name: "Thresholds", dependencies: ["Rulebook", "Wording"], swiftSettings: settings),
        // What loops measure: histograms, counters, breaks, sightings, and the intervals they are handed on in. Pure.
        .target(
            name: "Recording",
            dependencies: ["JSON", "Rulebook", "CZlib", .product(name: "Histogram", package: "hdrhistogram-swift")],
            swiftSettings: optimisedSettings
        ),
        // What a search for a capacity came to: its breaks, each judged by itself, and the versioned document. Pure.
        .target(
            name: "CapacityResult",
            dependencies: ["JSON", "Recording", "Rulebook", "RunResult", "Thresholds"],
            resources: [.copy("Schema")],
            swiftSettings: unhurriedSettings
        ),
        // A run judged: totals, findings across viewers, thresholds, health, the versioned result document. Pure.
        .target(
            name: "RunResult",
            dependencies: ["JSON", "Recording", "Rulebook", "Thresholds"],
            resources: [.copy("Schema")],
            swiftSettings: settings
        ),
        // A run as intervals, folded while it goes and kept in a journal: a run that is cut off has a result too.
        .target(
            name: "RunJournal",
            dependencies: ["JSON", "Recording", "Rendezvous", "RunResult", "Rulebook", "Thresholds", "CZlib"],
            swiftSettings: settings
        ),
        // Text that people read and write: columns, and the name that was meant. Pure.
        .target(name: "Wording", swiftSettings: settings),
        // The same numbers for the same seed, everywhere. Pure.
        .target(name: "Chance", swiftSettings: settings),
        // Digests and error texts of the system's OpenSSL. Pure.
        .target(name: "OpenSSL", dependencies: ["COpenSSL"], swiftSettings: settings),
        // epoll, timerfd, prctl and malloc_trim, which the Glibc module leaves out.
        .target(name: "CLinux"),
        // Comparing 64 bytes at once, which Swift's vectors cannot say as bits.
        .target(name: "CBytes"),
        // libcurl, with one inline function for each variadic call.
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        // OpenSSL: digests, certificates and TLS.
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        // nghttp2: HTTP/2 framing and header compression.
        .systemLibrary(name: "CNGHTTP2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        // zlib: compression in one go, decompression as bytes come.
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

        // What several test targets need: seeded numbers, folders, golden files, programs, ports, waiting.
        .target(
            name: "TestSupport",
            dependencies: ["Chance", "CPrograms", "Rendezvous", "Time"],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .target(name: "CPrograms", path: "Tests/CPrograms"),

        .testTarget(
            name: "BreakCallsTests",
            dependencies: ["AdServing", "Audience", "BreakCalls", "LoadProfile", "Rendezvous", "Time", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(name: "WordingTests", dependencies: ["Wording"], swiftSettings: settings),
        .testTarget(name: "TimeTests", dependencies: ["Time"], swiftSettings: settings),
        .testTarget(
            name: "DestinationsTests",
            dependencies: ["Destinations", "TestSupport"],
            exclude: ["Hosts"],
            swiftSettings: settings
        ),
        .testTarget(name: "CurvesTests", dependencies: ["Chance", "Curves", "Time"], swiftSettings: settings),
        .testTarget(
            name: "RendezvousTests",
            dependencies: [
                "JSON", "AdServing", "Chance", "EventLoop", "Rendezvous", "RendezvousClient", "RendezvousServing",
                "RunResult",
                "ServerTLS", "Time", "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HLSTests",
            dependencies: ["Conformance", "HLS", "Rulebook", "TestSupport"],
            exclude: ["Playlists"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["Conformance", "HLS", "Rulebook", "TestSupport"],
            exclude: ["Cases"],
            swiftSettings: settings
        ),
        .testTarget(name: "CookiesTests", dependencies: ["Cookies", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "HTTP2Tests",
            dependencies: ["HTTP2", "TestSupport"],
            exclude: ["Conversations"],
            swiftSettings: settings
        ),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "AdServingTests",
            dependencies: ["AdServing", "HLS", "JSON", "TestSupport"],
            exclude: ["AssetLists", "PlayedAddresses", "Redactions"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LoadProfileTests",
            dependencies: [
                "AdServing", "Curves", "LoadProfile", "Players", "ProfileSyntax", "Thresholds", "TestSupport",
            ],
            exclude: ["Curves", "PlanDigests", "ProfileCases"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TimedMetadataTests",
            dependencies: ["TimedMetadata", "TestSupport"],
            exclude: ["Fixtures"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RulebookTests",
            dependencies: ["Rulebook", "TestSupport"],
            exclude: ["findings.txt"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ThresholdsTests",
            dependencies: ["Rulebook", "Thresholds", "TestSupport"],
            exclude: ["refused-thresholds.txt"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RecordingTests",
            dependencies: ["JSON", "ExampleRuns", "Recording", "Rulebook", "RunResult", "TestSupport"],
            exclude: ["Refused"],
            swiftSettings: settings
        ),
        // One small run in which everything a result can say is said.
        .target(
            name: "ExampleRuns",
            dependencies: ["JSON", "Recording", "Rulebook", "RunResult", "Thresholds", "TestSupport"],
            path: "Tests/ExampleRuns",
            swiftSettings: settings
        ),
        .testTarget(
            name: "RunResultTests",
            dependencies: ["ExampleRuns", "JSON", "Recording", "Rulebook", "RunResult", "Thresholds", "TestSupport"],
            exclude: ["Goldens", "Readers", "Rules"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RunJournalTests",
            dependencies: [
                "ExampleRuns", "JSON", "Recording", "Rendezvous", "Rulebook", "RunJournal", "RunResult", "Thresholds",
                "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ComparisonTests",
            dependencies: [
                "CapacityResult", "Chance", "Comparison", "ExampleRuns", "JSON", "Recording", "RunResult", "Statistics",
                "TestSupport",
            ],
            exclude: ["Figures", "Goldens"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CapacityTests",
            dependencies: ["Capacity", "Chance", "Statistics", "TestSupport"],
            exclude: ["Goldens"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CapacityResultTests",
            dependencies: [
                "CapacityResult", "ExampleRuns", "Recording", "Rulebook", "RunResult", "TestSupport", "Thresholds",
            ],
            exclude: ["Goldens"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CapacityRunsTests",
            dependencies: [
                "Capacity", "CapacityResult", "CapacityRuns", "Chance", "Console", "Curves", "ExampleRuns", "JSON",
                "LoadProfile", "Players", "Recording", "Rulebook", "RunJournal", "RunResult", "TestSupport",
                "Thresholds",
                "Time",
            ],
            exclude: ["Goldens"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LiveViewTests",
            dependencies: ["JSON", "LiveView", "Report", "Recording", "Rulebook", "RunResult", "TestSupport"],
            exclude: ["Goldens"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RunLibraryTests",
            dependencies: ["Comparison", "JSON", "RunLibrary", "RunResult", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "LibraryServingTests",
            dependencies: ["LibraryServing", "LiveView", "RunLibrary", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ReportTests",
            dependencies: [
                "CapacityResult", "Comparison", "ExampleRuns", "JSON", "Recording", "Report", "Rulebook", "RunLibrary",
                "RunResult", "TestSupport",
            ],
            exclude: ["Goldens", "Readers"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BenchmarksTests",
            dependencies: [
                "Wording", "Benchmarks", "HLS", "Recording", "Rulebook", "RunResult", "TestSupport",
                "Thresholds", "Time",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "EventLoopTests",
            dependencies: ["Time", "EventLoop", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "TransportTests",
            dependencies: [
                "BodyCoding", "Destinations", "Sockets", "Time", "Transport", "EventLoop", "Rulebook", "TestSupport",
            ],
            exclude: ["Answers", "nginx.conf"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "HTTPServingTests",
            dependencies: [
                "HTTPServing", "TestSupport",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "OriginTests",
            dependencies: [
                "Origin", "OriginServing", "ServerTLS", "Conformance", "HLS", "AdServing", "JSON", "Rulebook",
                "TestSupport", "TimedMetadata",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            exclude: ["Conversations", "PlansWithMistakes", "routes.txt", "tls_client.py"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SwarmTests",
            dependencies: [
                "JSON", "Audience", "Breaks", "Curves", "Time", "Swarm", "Viewer", "AdServing", "Destinations",
                "EventLoop",
                "HLS", "LoadProfile", "Origin", "OriginServing", "Players", "Transport", "Rulebook", "TestSupport",
                "Audit", "Recording", "RunResult",
            ],
            exclude: ["Interstitials/Cases", "WireTraces/Goldens"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "BillingTests",
            dependencies: [
                "Audience", "Billing", "Chance", "Console", "Curves", "EventLoop", "LoadProfile", "Players",
                "ProfileSyntax", "Recording", "Rehearsal", "Report", "Rulebook", "RunJournal", "RunResult", "Swarm",
                "TestSupport", "Time",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "AudienceLogTests",
            dependencies: [
                "AdServing", "AudienceLog", "Curves", "JSON", "LoadProfile", "Players", "TestSupport", "Time",
            ],
            exclude: ["LogLines"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StreamToolsTests",
            dependencies: [
                "AdServing", "Destinations", "HLS", "LoadProfile", "ProfileSyntax", "Rulebook", "StreamTools",
                "Thresholds", "Transport",
                "TestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(name: "SizingTests", dependencies: ["Billing", "Sizing"], swiftSettings: settings),
        // Run the built executable and external programs; nothing is imported but the result document.
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["CapacityResult", "JSON", "Recording", "Rulebook", "RunResult", "TestSupport"],
            exclude: ["Clock", "Pages", "Python", "Transcripts", "Version1"],
            swiftSettings: settings
        ),
    ]
)
