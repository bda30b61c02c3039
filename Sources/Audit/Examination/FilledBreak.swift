import AdServing
import Rulebook
import Time

/// What one viewer was given for a break, and what of it was called slate otherwise than by its address.
struct FilledBreak {
    /// Of the break.
    let slot: Int32
    private var (adMilliseconds, slateMilliseconds): (UInt64, UInt64) = (0, 0)
    private var (namedAds, namedMilliseconds): (UInt64, UInt64) = (0, 0)
    private var (movedAds, movedMilliseconds): (UInt64, UInt64) = (0, 0)

    init(slot: Int32) { self.slot = slot }

    mutating func came(adMilliseconds ads: UInt64, slateMilliseconds slate: UInt64) {
        adMilliseconds = adMilliseconds.addingClamped(ads)
        slateMilliseconds = slateMilliseconds.addingClamped(slate)
    }

    /// The same slate may be named again and again.
    mutating func named(ads: Int, milliseconds: UInt64) {
        namedAds = max(namedAds, UInt64(clamping: ads))
        namedMilliseconds = max(namedMilliseconds, milliseconds)
    }

    /// What is to be counted as slate and was counted as ads; nil for nothing.
    ///
    /// Slate that its address names as well was never counted as an ad.
    mutating func takeUncounted() -> (ads: UInt64, milliseconds: UInt64)? {
        let wanted = min(adMilliseconds, namedMilliseconds - min(slateMilliseconds, namedMilliseconds))
        guard wanted > movedMilliseconds else { return nil }
        let taken = (ads: namedAds - min(movedAds, namedAds), milliseconds: wanted - movedMilliseconds)
        (movedAds, movedMilliseconds) = (max(movedAds, namedAds), wanted)
        return taken
    }

    /// How many ads came if all of them were slate; nil if one was not.
    var adsOfSlateAlone: UInt64? { adMilliseconds > 0 && movedMilliseconds == adMilliseconds ? movedAds : nil }
}

extension UInt64 {
    fileprivate func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? .max : sum
    }
}

extension Examination {
    /// Counts what the viewer was given for a break.
    func filled(_ slot: Int32, ads: Int, adMilliseconds: UInt64, slateMilliseconds: UInt64) {
        context.sink.breakFilled(
            slot,
            cohort: viewer.cohort,
            ads: ads,
            adMilliseconds: adMilliseconds,
            slateMilliseconds: slateMilliseconds
        )
        update(slot) { $0.came(adMilliseconds: adMilliseconds, slateMilliseconds: slateMilliseconds) }
    }

    /// Counts as slate what something else than addresses calls so; it may be said before the ads come, and again.
    func namedSlate(_ slot: Int32, ads: Int, duration: Duration) {
        guard slot >= 0, ads > 0, duration > .zero else { return }
        let milliseconds = UInt64(clamping: duration.nanosecondsHeld / 1_000_000)
        update(slot) { $0.named(ads: ads, milliseconds: milliseconds) }
    }

    /// Breaks of which more may still be said.
    private static let keptBreaks = 4

    private func update(_ slot: Int32, _ change: (inout FilledBreak) -> Void) {
        let record = viewer.record
        let known = record.filled.firstIndex { $0.slot == slot }
        if known == nil {
            if record.filled.count == Self.keptBreaks { record.filled.removeFirst() }
            record.filled.append(FilledBreak(slot: slot))
        }
        let place = known ?? record.filled.count - 1
        change(&record.filled[place])
        guard let slate = record.filled[place].takeUncounted() else { return }
        context.sink.breakSlateNamed(slot, cohort: viewer.cohort, ads: slate.ads, milliseconds: slate.milliseconds)
        guard let ads = record.filled[place].adsOfSlateAlone else { return }
        found(
            .slateOnly,
            expected: "at least one ad",
            observed: "\(ads) ads, all called slate by their metadata or their signalling",
            breakSlot: slot
        )
    }
}
