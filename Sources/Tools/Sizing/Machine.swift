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
