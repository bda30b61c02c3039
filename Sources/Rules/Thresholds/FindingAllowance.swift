/// Limit on sightings of a finding, above which a run fails.
package enum FindingAllowance: Codable, Hashable, RawRepresentable, Sendable {
    case any
    case sightings(UInt64)
    /// Percentage of joined viewers, from 0 to 100.
    case viewers(percent: Double)

    /// Parses `any`, a whole number, or a percentage such as `2%`.
    package init?(rawValue text: String) {
        if text == "any" {
            self = .any
        } else if text.hasSuffix("%") {
            guard let percent = Double(text.dropLast()), (0...100).contains(percent) else { return nil }
            self = .viewers(percent: percent)
        } else {
            guard let count = UInt64(text) else { return nil }
            self = .sightings(count)
        }
    }

    package var rawValue: String {
        switch self {
        case .any: "any"
        case .sightings(let count): "\(count)"
        case .viewers(let percent): MetricText.decimal(percent) + "%"
        }
    }

    package func permits(count: UInt64, viewersPercent: Double) -> Bool {
        switch self {
        case .any: true
        case .sightings(let limit): count <= limit
        case .viewers(let percent): viewersPercent <= percent
        }
    }
}

/// Keys are codes or `*`.
package typealias FindingAllowances = [String: FindingAllowance]

extension FindingAllowances {
    /// Falls back to `*`, which does not cover advice.
    package func allowance(for code: FindingCode) -> FindingAllowance? {
        self[code.code] ?? (code.severity > .advice ? self["*"] : nil)
    }
}
