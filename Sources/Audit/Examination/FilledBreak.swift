import AdServing
import Results
import Rules
import Values
import Viewer

/// Content that one viewer was given for a break, and the part identified as slate by other means than its URL.
struct FilledBreak {
    let slot: BreakSlot
    private var ads = 0
    private var (adMilliseconds, slateMilliseconds): (UInt64, UInt64) = (0, 0)
    private var (namedAds, namedMilliseconds): (UInt64, UInt64) = (0, 0)
    private var (movedAds, movedMilliseconds): (UInt64, UInt64) = (0, 0)
    /// Filled milliseconds; nil before the break is over.
    private var counted: UInt64?

    init(slot: BreakSlot) { self.slot = slot }

    mutating func came(ads: Int, adMilliseconds: UInt64, slateMilliseconds slate: UInt64) {
        self.ads = self.ads.addingClamped(ads)
        self.adMilliseconds = self.adMilliseconds.addingClamped(adMilliseconds)
        slateMilliseconds = slateMilliseconds.addingClamped(slate)
    }

    /// Splits the filled time in the proportion in which ads and slate came.
    mutating func over(filledMilliseconds filled: UInt64, _ tally: inout FillTally) {
        counted = filled
        let slate = inCounted(slateMilliseconds.addingClamped(movedMilliseconds))
        tally.cameAds = UInt64(clamping: max(ads - Int(clamping: movedAds), 0))
        (tally.cameAdMilliseconds, tally.cameSlateMilliseconds) = (filled - min(slate, filled), slate)
    }

    /// 0 before the break is over.
    func inCounted(_ milliseconds: UInt64) -> UInt64 {
        let all = adMilliseconds.addingClamped(slateMilliseconds)
        guard let counted, all > 0 else { return 0 }
        return UInt64(min(Double(milliseconds) / Double(all), 1) * Double(counted))
    }

    /// Uses maxima, since the same slate may be named repeatedly.
    mutating func named(ads: Int, milliseconds: UInt64) {
        namedAds = max(namedAds, UInt64(clamping: ads))
        namedMilliseconds = max(namedMilliseconds, milliseconds)
    }

    /// Slate that was counted as ads until now; slate that its URL identifies was never counted as an ad.
    mutating func takeUncounted() -> (ads: UInt64, milliseconds: UInt64)? {
        let wanted = min(adMilliseconds, namedMilliseconds - min(slateMilliseconds, namedMilliseconds))
        guard wanted > movedMilliseconds else { return nil }
        let taken = (ads: namedAds - min(movedAds, namedAds), milliseconds: wanted - movedMilliseconds)
        (movedAds, movedMilliseconds) = (max(movedAds, namedAds), wanted)
        return taken
    }

    var adsOfSlateAlone: UInt64? { adMilliseconds > 0 && movedMilliseconds == adMilliseconds ? movedAds : nil }
}

extension Examination {
    /// May be called before the ads come, and repeatedly.
    func namedSlate(_ slot: BreakSlot, ads: Int, duration: Duration) {
        guard slot != .outside, ads > 0, duration > .zero else { return }
        let milliseconds = UInt64(clamping: duration.nanosecondsHeld / 1_000_000)
        updateFill(slot) { $0.named(ads: ads, milliseconds: milliseconds) }
    }

    func updateFill(_ slot: BreakSlot, _ change: (inout FilledBreak) -> Void) {
        let record = viewer.record
        let place = record.place(ofFilled: slot)
        change(&record.filled[place])
        guard let slate = record.filled[place].takeUncounted() else { return }
        let counted = record.filled[place].inCounted(slate.milliseconds)
        if counted > 0 {
            var tally = FillTally()
            (tally.namedAds, tally.namedMilliseconds) = (slate.ads, counted)
            context.recorder.withBreak(slot) { $0.fill.count(viewer.cohort, tally) }
        }
        guard let ads = record.filled[place].adsOfSlateAlone else { return }
        let observed = "\(GroupedDigits.counted(ads, "ad")), all called slate by their metadata or their signalling"
        found(.slateOnly, expected: "at least one ad", observed: observed, breakSlot: slot)
    }
}

extension AuditedViewer {
    func filled(_ slot: BreakSlot, askedMilliseconds asked: Int64, filledMilliseconds filled: Int64) {
        var tally = FillTally()
        (tally.asked, tally.askedMilliseconds) = (1, UInt64(clamping: asked))
        if filled > 0 {
            let place = record.place(ofFilled: slot)
            record.filled[place].over(filledMilliseconds: UInt64(clamping: filled), &tally)
        }
        context.recorder.withBreak(slot) { $0.fill.count(cohort, tally) }
    }
}

extension ViewerRecord {
    private static let keptBreaks = 4

    fileprivate func place(ofFilled slot: BreakSlot) -> Int {
        if let known = filled.firstIndex(where: { $0.slot == slot }) { return known }
        filled.append(FilledBreak(slot: slot), atMost: Self.keptBreaks)
        return filled.count - 1
    }
}
