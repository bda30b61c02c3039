import Glibc
package import Swarm

package struct Machine: Sendable, Equatable {
    package var cores: Double
    package var memoryBytes: Double
    /// Hard limit of open descriptors.
    package var descriptors: Double
    /// Local ports for one source address and one server.
    package var ports: Double
    /// Source addresses that viewers connect from.
    package var addresses: Double = 1
    /// In one direction; nil if unknown.
    package var bitsPerSecond: Double?
    /// In both directions together; nil if unknown.
    package var packetsPerSecond: Double?

    /// This machine, with one source address; the network is unknown.
    ///
    /// A container's limits on cores and memory are not read.
    package static func here(_ limits: Preflight.Limits = .ofThisMachine()) -> Machine {
        Machine(
            cores: Double(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)),
            memoryBytes: Double(sysconf(Int32(_SC_PHYS_PAGES))) * Double(sysconf(Int32(_SC_PAGESIZE))),
            descriptors: Double(limits.hardDescriptors),
            ports: Double(limits.ports)
        )
    }

    private enum Field: String, CaseIterable {
        case cores, memory, descriptors, ports, addresses, bandwidth, packets

        var example: String {
            switch self {
            case .cores: "cores=8"
            case .memory: "memory=16GiB"
            case .descriptors: "descriptors=65536"
            case .ports: "ports=28232"
            case .addresses: "addresses=4"
            case .bandwidth: "bandwidth=10Gbps"
            case .packets: "packets=500000"
            }
        }

        var units: [(name: String, factor: Double)] {
            switch self {
            case .memory:
                [("KiB", 1_024), ("MiB", 1_048_576), ("GiB", 1_073_741_824), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9)]
            case .bandwidth: [("kbps", 1e3), ("Mbps", 1e6), ("Gbps", 1e9)]
            default: [("", 1)]
            }
        }
    }

    /// Parses and sets fields such as `cores=8,memory=16GiB,bandwidth=10Gbps`.
    ///
    /// - Throws: `SizingMistake` that lists every mistake.
    package mutating func set(_ text: String) throws(SizingMistake) {
        var mistakes: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let field = Field(rawValue: pair[0]) else {
                let examples = Field.allCases.map(\.example).joined(separator: ",")
                mistakes.append("--machine \(part): a machine is written as \(examples)")
                continue
            }
            guard pair.count == 2, let value = Self.quantity(pair[1], field.units), value > 0 else {
                mistakes.append("--machine \(part): is written as \(field.example)")
                continue
            }
            set(field, value)
        }
        guard mistakes.isEmpty else { throw SizingMistake(problems: mistakes) }
    }

    private mutating func set(_ field: Field, _ value: Double) {
        switch field {
        case .cores: cores = value
        case .memory: memoryBytes = value
        case .descriptors: descriptors = value
        case .ports: ports = value
        case .addresses: addresses = value
        case .bandwidth: bitsPerSecond = value
        case .packets: packetsPerSecond = value
        }
    }

    private static func quantity(_ text: String, _ units: [(name: String, factor: Double)]) -> Double? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }) else { return nil }
        let number = text.dropLast(unit.name.count)
        guard number.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == UInt8(ascii: ".") }) else {
            return nil
        }
        return Double(number).map { $0 * unit.factor }
    }
}

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
