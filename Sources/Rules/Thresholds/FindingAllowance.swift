/// Limit on sightings of a finding, above which a run fails.
package enum FindingAllowance: Hashable, Sendable {
    case any
    case sightings(UInt64)
    /// Percentage of joined viewers, from 0 to 100.
    case viewers(percent: Double)

    /// Parses `any`, a whole number, or a percentage such as `2%`.
    package init?(_ text: String) {
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

    package var text: String {
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

extension FindingAllowance: Codable {
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let allowance = FindingAllowance(text) else {
            let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "is not an allowance")
            throw DecodingError.dataCorrupted(context)
        }
        self = allowance
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(text)
    }
}

package struct FindingAllowances: Equatable, Sendable {
    /// Covers every code above advice without its own allowance.
    package static let everyCode = "*"

    package var byCode: [String: FindingAllowance]

    /// Keys are codes or `*`.
    package init(_ byCode: [String: FindingAllowance] = [:]) { self.byCode = byCode }

    /// Falls back to `*`, which does not cover advice.
    package func allowance(for code: FindingCode) -> FindingAllowance? {
        byCode[code.code] ?? (code.severity > .advice ? byCode[Self.everyCode] : nil)
    }
}

extension FindingAllowances: ExpressibleByArrayLiteral {
    package init(arrayLiteral codes: String...) { self.init(anyOf: codes) }

    package init(anyOf codes: some Sequence<String>) {
        self.init(Dictionary(codes.map { ($0, .any) }, uniquingKeysWith: { first, _ in first }))
    }
}

extension FindingAllowances: Codable {
    /// Decodes a mapping, or a list of codes as written by versions without allowances.
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let codes = try? value.decode([String].self) {
            self.init(anyOf: codes)
        } else {
            self.init(try value.decode([String: FindingAllowance].self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(byCode)
    }
}
