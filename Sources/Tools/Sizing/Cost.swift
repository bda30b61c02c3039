/// Cost of a viewer, a request or a process, with its source.
///
/// The figures are those of the named machines; other machines may differ by half and more, so every cost can be changed.
package enum Cost: String, CaseIterable, Sendable {
    /// User and system time of a request over HTTP/1.1 without TLS, from its planning to the processed answer.
    case cpuMicrosecondsPerRequest
    /// Added by TLS.
    case cpuMicrosecondsPerSecureRequest
    /// For every 1,000 bytes of an answer's body.
    case cpuMicrosecondsPerKilobyte
    /// Cost of one verified TLS handshake.
    case cpuMicrosecondsPerHandshake
    /// Cores that a process uses without viewers.
    case coresOfProcess
    /// Resident memory of a process without viewers.
    case memoryBytesOfProcess
    /// Resident memory of a viewer with its session, its break and its connections without TLS.
    case memoryBytesPerViewer
    /// Added by TLS.
    case memoryBytesPerSecureConnection
    /// Bytes on the wire of a request and the head of its answer, without the body.
    case headBytesPerRequest
    /// Packets of a request whose answer has no body, in both directions.
    case packetsPerRequest
    /// Packets for every 1,000 bytes of a body, acknowledgements included.
    case packetsPerKilobyte
    /// The target's bodies, as a multiple of those in the bill.
    case bodyFactor
    /// Share of a machine's cores that may be used in the busiest second.
    case usableCores
    /// Share of a machine's memory that may be used.
    case usableMemory

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

package struct CostTable: Sendable, Equatable {
    private var given: [Cost: Double] = [:]

    /// Parses settings such as `cpuMicrosecondsPerRequest=40`.
    ///
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

    package func source(of cost: Cost) -> String { given[cost] == nil ? cost.source : "given by --cost" }
}

package struct SizingMistake: Error, Equatable {
    /// Each with the correct form; never empty.
    package var problems: [String]
}
