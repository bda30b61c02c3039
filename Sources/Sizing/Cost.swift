/// What a viewer, a request and a process cost, each with where the figure comes from.
///
/// They are those of the machines named; another machine's may differ by half and more. So each may be given another value.
package enum Cost: String, CaseIterable, Sendable {
    /// User and system time of a request over HTTP/1.1 without TLS, from planning it to having understood its answer.
    case cpuMicrosecondsPerRequest
    /// What TLS adds to a request.
    case cpuMicrosecondsPerSecureRequest
    /// For every 1,000 bytes of an answer's body.
    case cpuMicrosecondsPerKilobyte
    /// Of a TLS connection, opened and verified.
    case cpuMicrosecondsPerHandshake
    /// Cores that a process uses whoever watches.
    case coresOfProcess
    /// Resident memory of a process without viewers.
    case memoryBytesOfProcess
    /// Resident memory of a viewer with its session, its break and its connections without TLS.
    case memoryBytesPerViewer
    /// What TLS adds to a connection.
    case memoryBytesPerSecureConnection
    /// What a whole request and the head of its answer take on the wire beside the answer's body, in bytes.
    case headBytesPerRequest
    /// Packets of a request whose answer has no body, in both directions.
    case packetsPerRequest
    /// Packets for every 1,000 bytes of a body, with those that acknowledge them.
    case packetsPerKilobyte
    /// The target's bodies, as a multiple of those in the bill.
    case bodyFactor
    /// How much of a machine's cores may be used in the busiest second, as a share.
    case usableCores
    /// How much of a machine's memory may be used, as a share.
    case usableMemory

    /// The value that is taken where nothing else is said.
    package var standard: Double {
        switch self {
        case .cpuMicrosecondsPerRequest: 55
        case .cpuMicrosecondsPerSecureRequest: 7
        case .cpuMicrosecondsPerKilobyte: 1
        case .cpuMicrosecondsPerHandshake: 554
        case .coresOfProcess: 0.065
        case .memoryBytesOfProcess: 75_000_000
        case .memoryBytesPerViewer: 9_000
        case .memoryBytesPerSecureConnection: 33_000
        case .headBytesPerRequest: 700
        case .packetsPerRequest: 3
        case .packetsPerKilobyte: 1.1
        case .bodyFactor: 1
        case .usableCores: 0.7
        case .usableMemory: 0.8
        }
    }

    /// Where the standard value comes from.
    package var source: String {
        switch self {
        case .cpuMicrosecondsPerRequest: Self.runs
        case .cpuMicrosecondsPerSecureRequest:
            "measured by podswarm-benchmarks poll, 1,000 connections: 15.9 against 9.35 µs (Benchmarking)"
        case .cpuMicrosecondsPerKilobyte:
            "assumed: about 0.65 µs to read a playlist's kilobyte (podswarm-benchmarks parse), the rest for receiving it"
        case .cpuMicrosecondsPerHandshake: "measured by podswarm-benchmarks handshake (Benchmarking)"
        case .coresOfProcess: Self.runs
        case .memoryBytesOfProcess, .memoryBytesPerViewer: Self.runs
        case .memoryBytesPerSecureConnection: "measured by podswarm-benchmarks memory (Benchmarking)"
        case .headBytesPerRequest:
            "assumed: the heads of a request and of an answer of the reference origin, and packets' own"
        case .packetsPerRequest: "assumed: the request, the answer, and what acknowledges it"
        case .packetsPerKilobyte:
            "assumed: segments of 1,448 bytes, every second one acknowledged (RFC 9293 section 3.8.6.3)"
        case .bodyFactor: "the reference origin's bodies; a target's are larger by as much as its bit rates are"
        case .usableCores: "assumed: a core that is busier sends late"
        case .usableMemory: "assumed: the kernel's sockets and everything else of the machine need room"
        }
    }

    private static let runs =
        "measured 2026-11-25: Profiles/prime-time.yaml, 1,000 and 4,000 viewers, two cores of an AMD Zen 5 (Shards)"

    fileprivate var range: ClosedRange<Double> {
        switch self {
        case .usableCores, .usableMemory: 0.01...1
        default: 0...1e12
        }
    }
}

/// The costs that a plan for machines stands on.
package struct CostTable: Sendable, Equatable {
    private var given: [Cost: Double] = [:]

    /// Standard costs, which any of `settings` change.
    ///
    /// - Parameter settings: Each `name=value`, such as `cpuMicrosecondsPerRequest=40`.
    /// - Throws: `SizingMistake` that lists every mistake.
    package init(_ settings: [String] = []) throws(SizingMistake) {
        var mistakes: [String] = []
        for setting in settings {
            let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let cost = Cost(rawValue: String(parts[0])) else {
                let names = Cost.allCases.map(\.rawValue).joined(separator: ", ")
                mistakes.append("--cost \(setting): there is no such cost; there are \(names)")
                continue
            }
            guard parts.count == 2, let value = Double(parts[1]), cost.range.contains(value) else {
                let most = cost.range.upperBound == 1 ? "a share from 0.01 to 1" : "a number from 0 on"
                mistakes.append("--cost \(setting): \(cost.rawValue) is \(most)")
                continue
            }
            given[cost] = value
        }
        guard mistakes.isEmpty else { throw SizingMistake(problems: mistakes) }
    }

    package subscript(_ cost: Cost) -> Double { given[cost] ?? cost.standard }

    /// Where a cost comes from.
    ///
    /// - Parameter cost: Any.
    /// - Returns: Its source, or that it was given.
    package func source(of cost: Cost) -> String { given[cost] == nil ? cost.source : "given by --cost" }
}

/// What is wrong with a machine or a cost as it was given.
package struct SizingMistake: Error, Equatable {
    /// Each with what would be right; never empty.
    package var problems: [String]
}
