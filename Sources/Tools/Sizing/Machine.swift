import CTexts
import Glibc
package import Swarm
import Values

package struct Machine: Sendable, Equatable {
    package var cores: Double
    package var memoryBytes: Double
    /// Hard limit.
    package var descriptors: Double
    /// For one source address and one server.
    package var ports: Double
    package var addresses: Double = 1
    /// In one direction; nil if unknown.
    package var bitsPerSecond: Double?
    /// In both directions together; nil if unknown.
    package var packetsPerSecond: Double?

    /// One source address, unknown network; ignores a container's limits on cores and memory.
    package static func here(_ limits: Preflight.Limits = .ofThisMachine()) -> Machine {
        Machine(
            cores: Double(max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 1)),
            memoryBytes: Double(sysconf(Int32(_SC_PHYS_PAGES))) * Double(sysconf(Int32(_SC_PAGESIZE))),
            descriptors: Double(limits.hardDescriptors),
            ports: Double(limits.ports)
        )
    }

    private static let fields: [(example: String, set: @Sendable (inout Machine, Double) -> Void)] = [
        ("cores=8", { $0.cores = $1 }), ("memory=16GiB", { $0.memoryBytes = $1 }),
        ("descriptors=65536", { $0.descriptors = $1 }), ("ports=28232", { $0.ports = $1 }),
        ("addresses=4", { $0.addresses = $1 }), ("bandwidth=10Gbps", { $0.bitsPerSecond = $1 }),
        ("packets=500000", { $0.packetsPerSecond = $1 }),
    ]

    private static func units(of field: String) -> [(name: String, factor: Double)] {
        switch field {
        case "memory":
            [("KiB", 1_024), ("MiB", 1_048_576), ("GiB", 1_073_741_824), ("KB", 1e3), ("MB", 1e6), ("GB", 1e9)]
        case "bandwidth": [("kbps", 1e3), ("Mbps", 1e6), ("Gbps", 1e9)]
        default: [("", 1)]
        }
    }

    /// Such as `cores=8,memory=16GiB,bandwidth=10Gbps`; returns every mistake, with the correct form.
    package mutating func set(_ text: String) -> [String] {
        var mistakes: [String] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let field = Self.fields.first(where: { $0.example.hasPrefix("\(pair[0])=") }) else {
                let examples = Self.fields.map(\.example)
                let names = examples.map { String($0.prefix { $0 != "=" }) }
                let meant = NearestName.slip(pair[0], among: names).map { "did you mean \($0)? " } ?? ""
                mistakes.append("--machine \(part): \(meant)a machine is written as \(examples.joined(separator: ","))")
                continue
            }
            guard pair.count == 2, let value = Self.quantity(pair[1], Self.units(of: pair[0])), value > 0 else {
                mistakes.append("--machine \(part): is written as \(field.example)")
                continue
            }
            field.set(&self, value)
        }
        return mistakes
    }

    private static func quantity(_ text: String, _ units: [(name: String, factor: Double)]) -> Double? {
        guard let unit = units.first(where: { text.hasSuffix($0.name) }) else { return nil }
        let number = text.dropLast(unit.name.count)
        guard number.utf8.allSatisfy({ $0.isDigit || $0 == UInt8(ascii: ".") }) else { return nil }
        return Double(number).map { $0 * unit.factor }
    }
}

/// A row of `Sources/CTexts/Texts/costs.txt`, which says what it is.
package enum Cost: String, CaseIterable, Sendable {
    case cpuMicrosecondsPerRequest, cpuMicrosecondsPerSecureRequest, cpuMicrosecondsPerKilobyte
    case cpuMicrosecondsPerHandshake, coresOfProcess
    case memoryBytesOfProcess, memoryBytesPerViewer, memoryBytesPerSecureConnection
    case headBytesPerRequest, packetsPerRequest, packetsPerKilobyte, bodyFactor
    case usableCores, usableMemory

    fileprivate static let figures: [Cost: (standard: Double, source: String)] = {
        var (figures, source): ([Cost: (standard: Double, source: String)], String) = ([:], "")
        for row in TextTemplate.rows(podswarm_costs(), columns: 3) where row.count > 1 {
            guard let cost = Cost(rawValue: row[0]), let figure = Double(row[1]) else { continue }
            source = row.count > 2 ? row[2] : source
            figures[cost] = (figure, source)
        }
        return figures
    }()

    fileprivate var range: ClosedRange<Double> { self == .usableCores || self == .usableMemory ? 0.01...1 : 0...1e12 }
}

package struct CostTable: Sendable, Equatable {
    private var given: [Cost: Double] = [:]

    package init() {}

    /// Such as `cpuMicrosecondsPerRequest=40`; returns every mistake, with the correct form.
    package mutating func set(_ settings: [String]) -> [String] {
        var mistakes: [String] = []
        for setting in settings {
            let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let cost = Cost(rawValue: String(parts[0])) else {
                let advice = NearestName.advice(for: String(parts[0]), among: Cost.allCases.map(\.rawValue))
                mistakes.append("--cost \(setting): there is no such cost; \(advice)")
                continue
            }
            guard parts.count == 2, let value = Double(parts[1]), cost.range.contains(value) else {
                let most = cost.range.upperBound == 1 ? "a share from 0.01 to 1" : "a number from 0 on"
                mistakes.append("--cost \(setting): \(cost.rawValue) is \(most)")
                continue
            }
            given[cost] = value
        }
        return mistakes
    }

    package subscript(_ cost: Cost) -> Double { given[cost] ?? Cost.figures[cost]?.standard ?? 0 }

    package func source(of cost: Cost) -> String {
        given[cost] == nil ? Cost.figures[cost]?.source ?? "" : "given by --cost"
    }
}
