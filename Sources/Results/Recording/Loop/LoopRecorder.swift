package import Rules

/// Measurements of one event loop, to which it is confined, without allocation for a request.
///
/// Wall-clock times are since the Unix epoch; texts are redacted, and closures for them must not use the recorder.
package final class LoopRecorder {
    private let breakLimit: Int
    let measuredFromMicroseconds: Int64
    // The exclusivity check would be a tenth of the cost of a sample, and can find nothing: no change calls back.
    @exclusivity(unchecked) var hot = RecorderState()
    /// Since the last interval, without what is in the set.
    package var sums = RunSums()
    private var viewersBefore: UInt64 = 0
    private var slots: [String: BreakSlot] = [:]
    private var ledger = FindingLedger()
    /// Over the whole run so far.
    private var channelClock = ChannelClock()
    var edges = EdgeBook()
    /// While the loop is delayed, findings that depend on time are dropped.
    package var isOverBudget: () -> Bool = { false }
    /// Each kind has its own room, so that names of segments do not displace those of pods.
    package var strays: [RequestKind: StraySightings] = [:]
    private var changedFindings: Set<FindingLedger.Key> = []
    package let shutOuts = ShutOutLog()
    @exclusivity(unchecked) package var exchanges = ExchangeDesk()
    /// For the next interval; nil while the collector has it.
    private var spare: RecorderSet? = RecorderSet()

    /// Breaks before `measuredFromMicroseconds` belong to the warm-up; those past `breakLimit` share one record of punctuality.
    package init(breakLimit: Int = 2_000, measuredFromMicroseconds: Int64 = .min) {
        self.breakLimit = max(1, breakLimit)
        self.measuredFromMicroseconds = measuredFromMicroseconds
    }

    /// Returns whether the answer is among the slowest, for `keepSlow`.
    @discardableResult
    package func record(_ sample: borrowing RequestSample) -> Bool { hot.record(sample) }

    /// Requests sent again because a kept-open connection was closed.
    package func countRepeated(_ kind: RequestKind, by amount: UInt64 = 1) {
        hot.set.requests.countRepeated(kind, by: amount)
    }

    package func count(_ counter: ViewerCounter, by amount: UInt64 = 1) { sums.viewers[counter] &+= amount }

    package func connectFailed(at address: String) {
        sums.failedConnects.add([address: 1], limit: RunSums.failedConnectLimit)
    }

    /// Distance of a playhead from the wall clock, recorded without a call at each break that it reaches behind it.
    package func liveLatency(microseconds: Int64) { hot.set.liveLatency.record(microseconds) }

    /// A negative age, from clocks that disagree, is recorded as 0.
    package func liveEdge(ageMicroseconds microseconds: Int64) {
        if microseconds < 0 { count(.liveEdgeAhead) }
        hot.set.channelClock.add(ChannelClock(leastAge: microseconds))
        channelClock.add(ChannelClock(leastAge: microseconds))
        hot.set.liveEdgeAge.record(max(microseconds, 0))
    }

    /// Counts since the last pulse or interval.
    package func pulse() -> IntervalCounts {
        var counts = hot.interval
        counts.activeViewers = Int64(truncatingIfNeeded: viewersPresent)
        hot.interval = IntervalCounts()
        return counts
    }

    private var viewersPresent: UInt64 { viewersBefore &+ sums.viewers[.joined] &- sums.viewers[.left] }

    /// The collector must give the set back: then only the list of changes and room for new keys are allocated.
    package func takeInterval() -> LoopInterval {
        var set = spare.take() ?? RecorderSet()
        swap(&hot.set, &set)
        // Otherwise the memory of a run would rise by chance for hours, whenever a break falls into the second set's interval.
        hot.set.takeRoom(like: set)
        let found: [FindingLedger.Key: FindingEntry] = changedFindings.reduce(into: [:]) { $0[$1] = ledger.entries[$1] }
        var changes = LoopChanges(breaks: hot.takeChangedBreaks(), findings: found, shutOuts: shutOuts.takeChanges())
        changes.exchanges = exchanges.take()
        defer {
            (viewersBefore, sums) = (viewersPresent, RunSums())
            changedFindings.removeAll(keepingCapacity: true)
            hot.slowness.clear()
        }
        return interval(set, changes, pulse())
    }

    private func interval(_ set: RecorderSet, _ changes: LoopChanges, _ counts: IntervalCounts) -> LoopInterval {
        var sums = sums
        let slow = hot.slowness.answers { $0 < hot.breaks.count ? hot.breaks[$0].key : "" }
        for answer in slow { sums.slowest.add(answer) }
        return LoopInterval(set: set, sums: sums, changes: changes, edges: edges.edges, counts: counts)
    }

    /// Only if no interval was taken; the next sample copies each distribution it touches.
    package func whole() -> LoopInterval {
        var changes = LoopChanges(breaks: hot.breaks, findings: ledger.entries, shutOuts: shutOuts.now)
        changes.exchanges = exchanges.news
        return interval(hot.set, changes, hot.interval)
    }

    /// The set must be cleared and not be used any more.
    package func giveBack(_ set: RecorderSet) { spare = set }

    /// Past the limit every new break shares one record; viewers without an announcement meet it at `meeting`.
    package func breakSlot(
        for key: String,
        start: Int64,
        durationMilliseconds: Int,
        meeting: BreakMeeting = .individual
    ) -> BreakSlot {
        if let slot = slots[key] { return slot }
        guard hot.breaks.count < breakLimit else {
            sums.breaksNotKept &+= 1
            if let last = hot.breaks.last, last.isOverflow { return .kept(Int32(hot.breaks.count - 1)) }
            let key = BreakRecord.overflowKey
            return hot.append(BreakRecord(key: key, startMicroseconds: 0, durationMilliseconds: 0, isOverflow: true))
        }
        var record = BreakRecord(key: key, startMicroseconds: start, durationMilliseconds: durationMilliseconds)
        record.meeting = meeting
        let slot = hot.append(record)
        slots[key] = slot
        // Viewers that were shut out of a computed break are due at it.
        if meeting == .atInstant { hot.withBreak(slot) { _ in } }
        return slot
    }

    package func viewerDue(_ slot: BreakSlot, of cohort: Cohort = Cohort()) {
        hot.withBreak(slot) { $0.countDue(cohort) }
    }

    /// `nanoseconds` is from the break's start at the playhead, negative before it; `wallMicroseconds` is nil at the live edge.
    package func viewerOnTime(
        _ slot: BreakSlot,
        inHandAfterStart nanoseconds: Int64,
        wallMicroseconds: Int64? = nil,
        of cohort: Cohort = Cohort()
    ) {
        hot.withBreak(slot) {
            $0.countOnTime(inHandAfterStart: nanoseconds, wallMicroseconds: wallMicroseconds, cohort)
        }
        countLiveLatency(slot, afterStart: nanoseconds / 1_000, wallMicroseconds)
    }

    package func viewerLate(
        _ slot: BreakSlot,
        lateness nanoseconds: Int64,
        isOfLine: Bool = false,
        wallMicroseconds: Int64? = nil,
        of cohort: Cohort = Cohort()
    ) {
        let microseconds = nanoseconds / 1_000
        hot.withBreak(slot) {
            if isOfLine { $0.lateByLine &+= 1 }
            $0.countLate(microseconds: microseconds, wallMicroseconds: wallMicroseconds, cohort)
        }
        countLiveLatency(slot, afterStart: microseconds, wallMicroseconds)
        guard isOfWarmUp(slot) else {
            hot.set.breakLateness.record(microseconds)
            return
        }
        hot.set.warmUpBreakLateness.record(microseconds)
    }

    /// Ignores playheads at the live edge; the channel's clock counts if its dates are ahead of this machine's.
    private func countLiveLatency(_ slot: BreakSlot, afterStart microseconds: Int64, _ wallMicroseconds: Int64?) {
        guard let wallMicroseconds, let place = hot.place(of: slot), !hot.breaks[place].isOverflow else { return }
        let ahead = max(channelClock.offset ?? 0, 0)
        let distance = wallMicroseconds &- hot.breaks[place].startMicroseconds &- microseconds &+ ahead
        if distance > 0 { hot.set.liveLatency.record(distance) }
    }

    private func isOfWarmUp(_ slot: BreakSlot) -> Bool {
        guard let place = hot.place(of: slot) else { return false }
        return !hot.breaks[place].isOverflow && hot.breaks[place].startMicroseconds < measuredFromMicroseconds
    }

    package func viewerFailed(_ slot: BreakSlot, _ failure: BreakFailure, of cohort: Cohort = Cohort()) {
        hot.withBreak(slot) { $0.countFailed(failure, cohort) }
    }

    package func viewerSkipped(_ slot: BreakSlot, _ reason: SkipReason) {
        hot.withBreak(slot) { $0.skips[reason, default: 0] &+= 1 }
    }

    /// `identifier` is as in the path; `url` is evaluated at the first request for one, and if viewers differ.
    package func podRequested(
        _ slot: BreakSlot,
        identifier: String,
        viewer: Int,
        breakStart: Int64? = nil,
        wallMicroseconds: Int64,
        url: @autoclosure () -> String = ""
    ) {
        hot.interval.podRequests &+= 1
        let moment = ViewerMoment(viewer: viewer, wallMicroseconds: wallMicroseconds)
        withKeptBreak(slot) {
            $0.burst.count(offset: $0.offset(of: wallMicroseconds))
            $0.pods.requested(identifier, at: moment, breakStart: breakStart, url: url)
        }
    }

    /// `fingerprint` is the hash of the body with the viewer's own tokens masked, or as in ``ComparedContent``.
    package func podObserved(
        _ slot: BreakSlot,
        _ content: ComparedContent,
        fingerprint: UInt64,
        at moment: ViewerMoment,
        evidence: @autoclosure () -> Evidence
    ) {
        var others: Int?
        withKeptBreak(slot) {
            others = $0.pods.observed(content, fingerprint: fingerprint, at: moment, evidence: evidence)
        }
        if let others { exchanges.compared(content, fingerprint, isMore: others > 0) }
    }

    package func finding(
        _ code: FindingCode,
        breakSlot: BreakSlot,
        at moment: ViewerMoment,
        evidence: @autoclosure () -> Evidence
    ) {
        guard !code.restsOnTime || !isOverBudget() else { return }
        if code.severity > .advice { hot.interval.findings &+= 1 }
        let key = FindingLedger.Key(code: code.code, breakKey: breakKey(of: breakSlot))
        ledger.entries[key, default: FindingEntry()].count(moment, evidence())
        exchanges.found(code)
        changedFindings.insert(key)
    }

    /// Records a viewer's variant of content that should have only one; `subject` is equal on every loop.
    package func given(
        _ code: FindingCode,
        subject: String,
        fingerprint: UInt64,
        breakSlot: BreakSlot,
        at moment: ViewerMoment,
        evidence: @autoclosure () -> Evidence
    ) {
        let key = FindingLedger.Key(code: code.code, breakKey: breakKey(of: breakSlot))
        let isOther = ledger.entries[key, default: FindingEntry()].ballots
            .cast(subject, fingerprint: fingerprint, at: moment, evidence: evidence)
        if isOther { exchanges.found(code) }
        changedFindings.insert(key)
    }

    /// Empty without a kept break.
    package func breakKey(of slot: BreakSlot) -> String { hot.place(of: slot).map { hot.breaks[$0].key } ?? "" }

    /// Does nothing without a kept break.
    package func withBreak(_ slot: BreakSlot, _ change: (inout BreakRecord) -> Void) { hot.withBreak(slot, change) }

    /// Does nothing without a kept break, and for the record of later breaks.
    package func withKeptBreak(_ slot: BreakSlot, _ change: (inout BreakRecord) -> Void) {
        hot.withBreak(slot) { if !$0.isOverflow { change(&$0) } }
    }

    /// Periods are kept for `room` microseconds after their end, for breaks of other loops.
    package func forgetShutOuts(before now: Int64, room: Int64) {
        shutOuts.forget(endedBefore: now &- room, room: room, starts: hot.breaks.lazy.map(\.startMicroseconds))
    }

    /// With a due viewer, in the order in which they were met.
    package func channelBreaks(since start: Int64) -> [ChannelBreak] {
        // Accessed by index: a copy of a record would retain all that it refers to.
        hot.breaks.indices.compactMap { hot.breaks[$0].channelBreak(since: start) }
    }

    package func edgeSlot(of edge: Edge) -> UInt16 { edges.slot(of: edge) }

    /// `wallMicroseconds` is the planned instant; the draft is evaluated at the end of the interval.
    package func keepSlow(
        _ kind: RequestKind,
        breakSlot: BreakSlot,
        wallMicroseconds: Int64,
        responseMicroseconds: Int64,
        draft: () -> SlowAnswer.Draft
    ) {
        guard wallMicroseconds >= measuredFromMicroseconds else { return }
        hot.slowness.keep(responseMicroseconds, kind, hot.place(of: breakSlot), draft)
    }
}

package struct ChannelBreak: Hashable, Sendable {
    package let key: String
    package let startMicroseconds: Int64
    package let durationMilliseconds: Int
    package let meeting: BreakMeeting
}

extension BreakRecord {
    package static let overflowKey = "(later breaks)"

    fileprivate func channelBreak(since start: Int64) -> ChannelBreak? {
        guard startMicroseconds >= start, due > 0, !isOverflow, meeting == .atPlayhead || meeting == .interstitial
        else { return nil }
        return ChannelBreak(
            key: key,
            startMicroseconds: startMicroseconds,
            durationMilliseconds: durationMilliseconds,
            meeting: meeting
        )
    }
}
