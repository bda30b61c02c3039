import Recording

/// Filled share of the time that viewers requested in breaks, by ads and slate.
package struct FillResult: Equatable, Codable, Sendable {
    /// Nil for all viewers.
    package var cohort: String?
    /// Viewers that asked, and the time they asked for.
    package var asked: UInt64
    package var askedMilliseconds: UInt64
    package var ads: UInt64
    package var adMilliseconds: UInt64
    package var slateMilliseconds: UInt64
    /// Ads and slate as a share of the requested time; nil if no viewer asked.
    package var filledPercent: Double?

    init(_ tally: FillTally, cohort: String? = nil) {
        self.cohort = cohort
        asked = tally.asked
        askedMilliseconds = tally.askedMilliseconds
        ads = tally.ads
        adMilliseconds = tally.adMilliseconds
        slateMilliseconds = tally.slateMilliseconds
        let filled = tally.adMilliseconds &+ tally.slateMilliseconds
        filledPercent = askedMilliseconds == 0 ? nil : Double(filled) * 100 / Double(askedMilliseconds)
    }

    /// Nil if viewers are not divided into cohorts.
    static func byCohort(_ ledger: FillLedger) -> [FillResult]? {
        guard ledger.tallies.keys.contains(where: { $0 != FillLedger.everybody }) else { return nil }
        return ledger.tallies.sorted { $0.key < $1.key }.map {
            FillResult($0.value, cohort: $0.key == FillLedger.everybody ? "(other)" : $0.key)
        }
    }
}
