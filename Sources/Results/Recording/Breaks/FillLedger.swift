import Values

/// Fill of a break: requested time, ads and slate.
package struct FillTally: Summable, Equatable, Codable, Sendable {
    /// Viewers that asked.
    package fileprivate(set) var asked: UInt64 = 0
    package fileprivate(set) var askedMilliseconds: UInt64 = 0
    /// Received content, classified by address alone.
    fileprivate var cameAds: UInt64 = 0
    fileprivate var cameAdMilliseconds: UInt64 = 0
    fileprivate var cameSlateMilliseconds: UInt64 = 0
    /// Ads that another source names as slate; separate, so that tallies of different times add up.
    fileprivate var namedAds: UInt64 = 0
    fileprivate var namedMilliseconds: UInt64 = 0

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

    fileprivate var isBounded: Bool {
        let amounts = [
            asked, askedMilliseconds, cameAds, cameAdMilliseconds, cameSlateMilliseconds, namedAds, namedMilliseconds,
        ]
        return amounts.allSatisfy { $0 < 1 << 48 }
    }
}

/// Cohorts past the limit count as viewers without a cohort.
package struct FillLedger: Equatable, Sendable {
    package static let limit = 256
    /// Viewers without a cohort.
    package static let everybody = ""

    package private(set) var tallies: [String: FillTally] = [:]

    package init() {}

    package var isEmpty: Bool { tallies.isEmpty }

    package var total: FillTally { tallies.values.reduce(into: FillTally()) { $0.add($1) } }

    mutating func countAsked(_ cohort: String?, milliseconds: UInt64) {
        change(cohort) {
            $0.asked &+= 1
            $0.askedMilliseconds &+= milliseconds
        }
    }

    mutating func countFilled(_ cohort: String?, ads: Int, adMilliseconds: UInt64, slateMilliseconds: UInt64) {
        change(cohort) {
            $0.cameAds &+= UInt64(clamping: ads)
            $0.cameAdMilliseconds &+= adMilliseconds
            $0.cameSlateMilliseconds &+= slateMilliseconds
        }
    }

    mutating func countNamed(_ cohort: String?, ads: UInt64, milliseconds: UInt64) {
        change(cohort) {
            $0.namedAds &+= ads
            $0.namedMilliseconds &+= milliseconds
        }
    }

    private mutating func change(_ cohort: String?, _ deed: (inout FillTally) -> Void) {
        let name = cohort ?? Self.everybody
        let isKept = tallies[name] != nil || tallies.count < Self.limit
        deed(&tallies[isKept ? name : Self.everybody, default: FillTally()])
    }

    package mutating func add(_ other: FillLedger) { tallies.add(other.tallies) }
}

extension FillLedger: CodableByForm, EmptyWhereMissing {
    package init(form: [String: FillTally]) throws {
        tallies = form
        guard tallies.count <= Self.limit * 64, tallies.values.allSatisfy(\.isBounded) else {
            throw FormError("\(tallies.count) cohorts")
        }
    }

    package var form: [String: FillTally] { tallies }
}
