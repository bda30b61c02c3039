import Values

package struct FillTally: Summable, Equatable, Codable, Sendable, CheckedWhenRead {
    package var asked: UInt64 = 0
    package var askedMilliseconds: UInt64 = 0
    /// Received content, classified by address alone.
    package var cameAds: UInt64 = 0
    package var cameAdMilliseconds: UInt64 = 0
    package var cameSlateMilliseconds: UInt64 = 0
    /// Ads that another source names as slate; separate, so that tallies of different times add up.
    package var namedAds: UInt64 = 0
    package var namedMilliseconds: UInt64 = 0

    package init() {}

    package var ads: UInt64 { cameAds - min(namedAds, cameAds) }
    package var adMilliseconds: UInt64 { cameAdMilliseconds - min(namedMilliseconds, cameAdMilliseconds) }
    package var slateMilliseconds: UInt64 { cameSlateMilliseconds &+ min(namedMilliseconds, cameAdMilliseconds) }

    package mutating func add(_ other: FillTally) {
        asked &+= other.asked
        askedMilliseconds &+= other.askedMilliseconds
        cameAds &+= other.cameAds
        cameAdMilliseconds &+= other.cameAdMilliseconds
        cameSlateMilliseconds &+= other.cameSlateMilliseconds
        namedAds &+= other.namedAds
        namedMilliseconds &+= other.namedMilliseconds
    }

    package var problem: String? {
        let amounts = [
            asked, askedMilliseconds, cameAds, cameAdMilliseconds, cameSlateMilliseconds, namedAds, namedMilliseconds,
        ]
        return amounts.allSatisfy { $0 < 1 << 48 } ? nil : "no fill of a break"
    }
}

/// Cohorts past the limit count as viewers without a cohort.
package struct FillLedger: Equatable, Codable, Sendable, EmptyWhereMissing, CheckedWhenRead {
    package static let limit = 256
    /// Viewers without a cohort.
    package static let everybody = ""

    package private(set) var tallies: [String: FillTally] = [:]

    package init() {}

    package var isEmpty: Bool { tallies.isEmpty }

    package var total: FillTally { tallies.values.reduce(into: FillTally()) { $0.add($1) } }

    /// The cohort of slate that is named later is as when it was counted.
    package mutating func count(_ cohort: String?, _ tally: FillTally) {
        let name = cohort ?? Self.everybody
        let isKept = tallies[name] != nil || tallies.count < Self.limit
        tallies[isKept ? name : Self.everybody, default: FillTally()].add(tally)
    }

    package mutating func add(_ other: FillLedger) { tallies.add(other.tallies) }

    package var problem: String? { tallies.count <= Self.limit * 64 ? nil : "\(tallies.count) cohorts" }
}
