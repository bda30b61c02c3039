/// How much of a break that viewers asked ads for was filled, and with what.
package struct FillTally: Equatable, Codable, Sendable {
    /// Viewers that asked, and the time that they asked for.
    package fileprivate(set) var asked: UInt64 = 0
    package fileprivate(set) var askedMilliseconds: UInt64 = 0
    /// Ads that came, and how long they are.
    package fileprivate(set) var ads: UInt64 = 0
    package fileprivate(set) var adMilliseconds: UInt64 = 0
    /// Slate that came in their place.
    package fileprivate(set) var slateMilliseconds: UInt64 = 0

    package init() {}

    fileprivate mutating func add(_ other: FillTally) {
        asked &+= other.asked
        askedMilliseconds &+= other.askedMilliseconds
        ads &+= other.ads
        adMilliseconds &+= other.adMilliseconds
        slateMilliseconds &+= other.slateMilliseconds
    }

    fileprivate var isBounded: Bool {
        max(asked, askedMilliseconds, ads, adMilliseconds, slateMilliseconds) < 1 << 48
    }

    private enum CodingKeys: String, CodingKey {
        case asked
        case askedMilliseconds = "asked_ms"
        case ads
        case adMilliseconds = "ad_ms"
        case slateMilliseconds = "slate_ms"
    }
}

/// The same by cohort; those past the limit share the tally of nobody's cohort.
package struct FillLedger: Equatable, Sendable {
    package static let limit = 256
    /// What viewers without a cohort are booked under.
    package static let everybody = ""

    package private(set) var tallies: [String: FillTally] = [:]

    package init() {}

    package var isEmpty: Bool { tallies.isEmpty }

    /// Over all cohorts.
    package var total: FillTally { tallies.values.reduce(into: FillTally()) { $0.add($1) } }

    mutating func countAsked(_ cohort: String?, milliseconds: UInt64) {
        change(cohort) {
            $0.asked &+= 1
            $0.askedMilliseconds &+= milliseconds
        }
    }

    mutating func countFilled(_ cohort: String?, ads: Int, adMilliseconds: UInt64, slateMilliseconds: UInt64) {
        change(cohort) {
            $0.ads &+= UInt64(clamping: ads)
            $0.adMilliseconds &+= adMilliseconds
            $0.slateMilliseconds &+= slateMilliseconds
        }
    }

    private mutating func change(_ cohort: String?, _ deed: (inout FillTally) -> Void) {
        let name = cohort ?? Self.everybody
        let isKept = tallies[name] != nil || tallies.count < Self.limit
        deed(&tallies[isKept ? name : Self.everybody, default: FillTally()])
    }

    /// Adds what another loop, or another break, says.
    package mutating func add(_ other: FillLedger) {
        tallies.merge(other.tallies) { mine, its in
            var sum = mine
            sum.add(its)
            return sum
        }
    }
}

extension FillLedger: Codable {
    package init(from decoder: any Decoder) throws {
        tallies = try [String: FillTally](from: decoder)
        guard tallies.count <= Self.limit * 64, tallies.values.allSatisfy(\.isBounded) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "\(tallies.count) cohorts")
            )
        }
    }

    package func encode(to encoder: any Encoder) throws { try tallies.encode(to: encoder) }
}
