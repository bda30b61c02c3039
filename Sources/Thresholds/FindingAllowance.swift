package import Rulebook

/// How often a finding may be seen before it fails a run.
package enum FindingAllowance: Hashable, Sendable {
    /// However often.
    case any
    /// At most so many times in the whole run.
    case sightings(UInt64)
    /// By at most this share of the viewers that joined, from 0 to 100.
    case viewers(percent: Double)

    /// Reads what ``text`` spells.
    ///
    /// - Parameter text: `any`, a whole number, or a percentage such as `2%`; nil comes of anything else.
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

    /// As a profile spells it.
    package var text: String {
        switch self {
        case .any: "any"
        case .sightings(let count): "\(count)"
        case .viewers(let percent): MetricText.decimal(percent) + "%"
        }
    }

    /// Whether what was seen stays within it.
    ///
    /// - Parameters:
    ///   - count: Sightings in the whole run.
    ///   - viewersPercent: The share of viewers affected, from 0 to 100.
    /// - Returns: False where the run has more of it than allowed.
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
            let context = DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "is no allowance")
            throw DecodingError.dataCorrupted(context)
        }
        self = allowance
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(text)
    }
}

/// What a profile allows of each finding.
package struct FindingAllowances: Equatable, Sendable {
    /// Stands for every code above advice that is not named.
    package static let everyCode = "*"

    package var byCode: [String: FindingAllowance]

    /// Allows what is listed.
    ///
    /// - Parameter byCode: By code, or `*`.
    package init(_ byCode: [String: FindingAllowance] = [:]) {
        self.byCode = byCode
    }

    /// What is allowed of a code: its own allowance, else that of every code; advice needs none.
    ///
    /// - Parameter code: A row of the table.
    /// - Returns: Nil where the profile says nothing of it.
    package func allowance(for code: FindingCode) -> FindingAllowance? {
        byCode[code.code] ?? (code.severity > .advice ? byCode[Self.everyCode] : nil)
    }
}

extension FindingAllowances: ExpressibleByArrayLiteral {
    /// Allows these codes however often they are seen.
    package init(arrayLiteral codes: String...) {
        self.init(anyOf: codes)
    }

    /// Allows these codes however often they are seen.
    ///
    /// - Parameter codes: Codes, or `*`.
    package init(anyOf codes: some Sequence<String>) {
        self.init(Dictionary(codes.map { ($0, .any) }, uniquingKeysWith: { first, _ in first }))
    }
}

extension FindingAllowances: Codable {
    /// Reads a mapping, or a list of codes as versions without allowances wrote it.
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
