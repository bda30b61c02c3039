package import Rulebook

/// What one event loop measures.
///
/// Confined to its loop: never `Sendable`, no locks, no allocation for a request. Only the values that
/// `takeInterval()` and `finish()` give leave the loop.
package final class LoopRecorder {
    private let limits: RecorderLimits
    let measuredFromMicroseconds: Int64
    // The run-time exclusivity check would be a tenth of the cost of a sample. It can find nothing here: the class is
    // confined to one loop, and no change of the state calls back into the recorder.
    @exclusivity(unchecked) var hot = RecorderState()
    private var viewers = ViewerCounts()
    private var slots: [String: Int32] = [:]
    private var breaksNotKept: UInt64 = 0
    private var ledger = FindingLedger()
    private var rare = RareDistributions()
    /// Of the whole run so far.
    private var channelClock = ChannelClock()
    var edges = EdgeBook()
    /// Whether the loop was kept from its work just now: findings that rest on time are dropped meanwhile.
    package var isOverBudget: () -> Bool = { false }
    /// Since the last interval.
    private var warnings = ServerWarnings()
    private var leftOut = LeftOutLedger()
    /// Answers with what may be sessions of another process's viewers.
    package internal(set) var strays: [RequestKind: StraySightings] = [:]
    private var changedFindings: Set<FindingLedger.Key> = []
    /// Stretches in which viewers were shut out.
    package let shutOuts = ShutOutLog()
    /// What the next interval is recorded into; nil while the collector still has it.
    private var spare: RecorderSet? = RecorderSet()
    /// Counters as they stood at the last interval.
    private var takenViewers = ViewerCounts()
    private var takenBreaksNotKept: UInt64 = 0

    /// Counts nothing yet.
    ///
    /// - Parameters:
    ///   - limits: How much to keep.
    ///   - measuredFromMicroseconds: Breaks that start before this instant of the wall clock belong to the warm-up.
    package init(limits: RecorderLimits = .standard, measuredFromMicroseconds: Int64 = .min) {
        self.limits = limits
        self.measuredFromMicroseconds = measuredFromMicroseconds
    }

    /// Counts one finished request in every distribution and counter it belongs to.
    ///
    /// - Parameter sample: The request.
    /// - Returns: Whether its answer is among the slowest of its kind and break so far: `keepSlow` keeps it.
    @discardableResult
    package func record(_ sample: borrowing RequestSample) -> Bool {
        hot.record(sample)
    }

    /// A request was sent again, because a connection that was kept open turned out to be closed.
    ///
    /// - Parameters:
    ///   - kind: What for.
    ///   - amount: How often.
    package func countRepeated(_ kind: RequestKind, by amount: UInt64 = 1) {
        hot.requests.countRepeated(kind, by: amount)
    }

    /// Counts something viewers do.
    ///
    /// - Parameters:
    ///   - counter: What happened.
    ///   - amount: How often.
    package func count(_ counter: ViewerCounter, by amount: UInt64 = 1) {
        viewers[counter] &+= amount
    }

    /// A viewer of this persona came; `ViewerCounter.joined` is counted besides.
    ///
    /// - Parameter persona: The persona's number in the profile; those past the sixteenth are counted with it.
    package func countViewer(persona: UInt8) {
        viewers.countViewer(persona: Int(persona))
    }

    /// An ad server warned of something in the head of an answer.
    ///
    /// - Parameters:
    ///   - kind: What the request was for.
    ///   - text: What it warned of, redacted.
    package func serverWarned(_ kind: RequestKind, _ text: String) { warnings.count(kind, text) }

    /// Counts a request that was not sent because its host is not authorised.
    package func leftOut(_ key: LeftOutLedger.Key) { leftOut.count(key) }

    /// How far a viewer's playhead was behind the wall clock, for example when the viewer left.
    ///
    /// At each break it is recorded of itself, of viewers that had their pod and are not at the live edge.
    ///
    /// - Parameter microseconds: The distance; one below zero is counted as out of range.
    package func liveLatency(microseconds: Int64) {
        rare.liveLatency.record(microseconds)
    }

    /// How far the live edge was behind the wall clock when a new playlist came.
    ///
    /// - Parameter microseconds: The age; one below zero, which clocks that disagree make, is counted and taken as 0.
    package func liveEdge(ageMicroseconds microseconds: Int64) {
        if microseconds < 0 { count(.liveEdgeAhead) }
        rare.channelClock.add(ChannelClock(leastAge: microseconds))
        channelClock.add(ChannelClock(leastAge: microseconds))
        rare.liveEdgeAge.record(max(microseconds, 0))
    }

    /// The small sum of what happened since the last pulse or interval.
    ///
    /// - Returns: Counts of the interval that ends now.
    package func pulse() -> IntervalCounts {
        var counts = hot.interval
        counts.activeViewers = Int64(
            truncatingIfNeeded: viewers[.joined] &- viewers[.left]
        )
        hot.interval = IntervalCounts()
        return counts
    }

    /// What happened since the last interval: counts as differences, breaks and findings that changed as a whole.
    ///
    /// Copies and allocates nothing but the list of changes and room for what was met for the first time, as long as the
    /// set of the interval before has come back.
    ///
    /// - Returns: A value for the collector, who gives its set back.
    package func takeInterval() -> LoopInterval {
        var set = spare.take() ?? RecorderSet()
        swap(&hot.requests, &set.requests)
        swap(&rare, &set.rare)
        swap(&hot.edges, &set.edges)
        // Else the second set would meet what breaks bring whenever one falls into an interval of its own, and the memory
        // of a run would go on rising by chance for hours.
        hot.requests.begin(like: set.requests)
        rare.begin(like: set.rare)
        defer {
            takenViewers = viewers
            takenBreaksNotKept = breaksNotKept
            changedFindings.removeAll(keepingCapacity: true)
            hot.slowness.clear()
            if !warnings.isEmpty { warnings = ServerWarnings() }
            if !leftOut.isEmpty { leftOut = LeftOutLedger() }
        }
        return LoopInterval(
            set: set,
            viewers: viewers.since(takenViewers),
            breaks: hot.takeChangedBreaks(),
            breaksNotKept: breaksNotKept &- takenBreaksNotKept,
            findings: ledger.rows(changedFindings),
            shutOuts: shutOuts.takeChanges(),
            edges: edges.edges,
            slowest: slowestAnswers(),
            warnings: warnings,
            leftOut: leftOut,
            counts: pulse()
        )
    }

    /// Everything recorded so far as one interval, where none was ever taken; recording may go on afterwards.
    ///
    /// Shares storage with the recorder until the next sample, which then copies each distribution it touches once.
    package func whole() -> LoopInterval {
        LoopInterval(
            set: RecorderSet(requests: hot.requests, rare: rare, edges: hot.edges),
            viewers: viewers,
            breaks: hot.breaks,
            breaksNotKept: breaksNotKept,
            findings: ledger.rows(ledger.entries.keys),
            shutOuts: shutOuts.rows.map { ShutOut.Row(stretch: $0.key, viewers: $0.value) },
            edges: edges.edges,
            slowest: slowestAnswers(),
            warnings: warnings,
            leftOut: leftOut,
            counts: hot.interval
        )
    }

    /// Takes back the set of an interval that was read.
    ///
    /// - Parameter set: Cleared, and held by nobody else.
    package func giveBack(_ set: RecorderSet) {
        spare = set
    }
}

// MARK: Breaks

extension LoopRecorder {
    /// The small number under which this loop keeps a break.
    ///
    /// Past the limit every new break shares one record that keeps punctuality only.
    ///
    /// - Parameters:
    ///   - key: The break's stable identity.
    ///   - start: Its start in microseconds since the Unix epoch.
    ///   - durationMilliseconds: Its planned duration.
    ///   - meeting: When viewers meet it that were not told of it.
    /// - Returns: The slot to give with samples and viewer events.
    package func breakSlot(
        for key: String,
        start: Int64,
        durationMilliseconds: Int,
        meeting: BreakMeeting = .individual
    ) -> Int32 {
        if let slot = slots[key] { return slot }
        guard hot.breaks.count < limits.breaks else { return overflowSlot() }
        let slot = hot.append(
            BreakRecord(
                key: key,
                startMicroseconds: start,
                durationMilliseconds: durationMilliseconds,
                meeting: meeting
            )
        )
        slots[key] = slot
        // Viewers that were shut out of a computed break are due at it, though no viewer notes anything of it.
        if meeting == .atInstant { hot.withBreak(slot) { _ in } }
        return slot
    }

    private func overflowSlot() -> Int32 {
        breaksNotKept &+= 1
        if let last = hot.breaks.last, last.isOverflow { return Int32(hot.breaks.count - 1) }
        return hot.append(
            BreakRecord(
                key: BreakRecord.overflowKey,
                startMicroseconds: 0,
                durationMilliseconds: 0,
                isOverflow: true
            )
        )
    }

    /// A viewer should show this break.
    ///
    /// - Parameters:
    ///   - slot: The break.
    ///   - persona: The viewer's persona by its number in the profile.
    package func viewerDue(_ slot: Int32, persona: UInt8 = 0) {
        hot.withBreak(slot) { $0.countDue(persona) }
    }

    /// A viewer saw this break in its playlist for the first time.
    ///
    /// Only for viewers that were watching before the break was published: one whose first playlist held it already says
    /// nothing of how the news spread.
    ///
    /// - Parameters:
    ///   - slot: The break.
    ///   - wallMicroseconds: When the playlist with it was in hand, in microseconds since the Unix epoch.
    package func breakDiscovered(_ slot: Int32, wallMicroseconds: Int64) {
        hot.withBreak(slot) { $0.countDiscovered(at: wallMicroseconds) }
    }

    /// A due viewer had a playable pod before its own playhead reached the break.
    ///
    /// - Parameters:
    ///   - slot: The break.
    ///   - nanoseconds: When, from the break's start at the viewer's playhead; negative before it.
    ///   - wallMicroseconds: When by the wall clock; nil where the playhead is at the live edge.
    ///   - persona: The viewer's persona by its number in the profile.
    package func viewerOnTime(
        _ slot: Int32,
        inHandAfterStart nanoseconds: Int64,
        wallMicroseconds: Int64? = nil,
        persona: UInt8 = 0
    ) {
        hot.withBreak(slot) {
            $0.countOnTime(inHandAfterStart: nanoseconds, wallMicroseconds: wallMicroseconds, persona: persona)
        }
        countLiveLatency(slot, afterStart: nanoseconds / 1_000, wallMicroseconds)
    }

    /// A due viewer had its pod after its playhead had reached the break.
    ///
    /// - Parameters:
    ///   - slot: The break.
    ///   - nanoseconds: How much after.
    ///   - wallMicroseconds: When by the wall clock; nil where the playhead is at the live edge.
    ///   - persona: The viewer's persona by its number in the profile.
    package func viewerLate(
        _ slot: Int32,
        lateness nanoseconds: Int64,
        wallMicroseconds: Int64? = nil,
        persona: UInt8 = 0
    ) {
        let microseconds = nanoseconds / 1_000
        hot.withBreak(slot) {
            $0.countLate(microseconds: microseconds, wallMicroseconds: wallMicroseconds, persona: persona)
        }
        countLiveLatency(slot, afterStart: microseconds, wallMicroseconds)
        guard isOfWarmUp(slot) else {
            rare.breakLateness.record(microseconds)
            return
        }
        rare.warmUpBreakLateness.record(microseconds)
    }

    /// A playhead that reaches a break later than the wall clock does is that far behind it; one at the live edge tells
    /// nothing of playback.
    ///
    /// Where the channel's dates are ahead of this machine's clock, its own clock counts.
    private func countLiveLatency(_ slot: Int32, afterStart microseconds: Int64, _ wallMicroseconds: Int64?) {
        guard let wallMicroseconds, slot >= 0, Int(slot) < hot.breaks.count, !hot.breaks[Int(slot)].isOverflow else {
            return
        }
        let ahead = max(channelClock.offset ?? 0, 0)
        let distance = wallMicroseconds &- hot.breaks[Int(slot)].startMicroseconds &- microseconds &+ ahead
        if distance > 0 { rare.liveLatency.record(distance) }
    }

    private func isOfWarmUp(_ slot: Int32) -> Bool {
        guard slot >= 0, Int(slot) < hot.breaks.count else { return false }
        return !hot.breaks[Int(slot)].isOverflow
            && hot.breaks[Int(slot)].startMicroseconds < measuredFromMicroseconds
    }

    /// A due viewer never had a playable pod.
    ///
    /// - Parameters:
    ///   - slot: The break.
    ///   - failure: Why not.
    ///   - persona: The viewer's persona by its number in the profile.
    package func viewerFailed(_ slot: Int32, _ failure: BreakFailure, persona: UInt8 = 0) {
        hot.withBreak(slot) { $0.countFailed(failure, persona: persona) }
    }

    /// A viewer was not due for this break.
    ///
    /// - Parameters:
    ///   - slot: The break.
    ///   - reason: Why not.
    package func viewerSkipped(_ slot: Int32, _ reason: SkipReason) {
        hot.withBreak(slot) { $0.countSkipped(reason) }
    }

    /// A viewer asked for a pod.
    ///
    /// - Parameters:
    ///   - slot: The break.
    ///   - identifier: The pod identifier as it stands in the path, for example `pod/7`.
    ///   - viewer: The viewer's number; without it each request counts as a viewer of its own.
    ///   - breakStart: When the break starts by what this viewer was told, in microseconds since the Unix epoch, where it
    ///     made the identifier of the break itself.
    ///   - wallMicroseconds: When, in microseconds since the Unix epoch.
    ///   - url: What was asked for, redacted; asked for at the first request for an identifier, and where viewers
    ///     differ. It must not use the recorder.
    package func podRequested(
        _ slot: Int32,
        identifier: String,
        viewer: Int? = nil,
        breakStart: Int64? = nil,
        wallMicroseconds: Int64,
        url: @autoclosure () -> String = ""
    ) {
        hot.interval.podRequests &+= 1
        hot.withBreak(slot) {
            $0.countPodRequest(
                identifier,
                viewer: viewer,
                breakStart: breakStart,
                wallMicroseconds: wallMicroseconds,
                url: url
            )
        }
    }

    /// A viewer got something of a break that is comparable with what other viewers got.
    ///
    /// - Parameters:
    ///   - slot: The break.
    ///   - content: What it is.
    ///   - fingerprint: Hash of the body with the viewer's own tokens masked; see ``ComparedContent`` for what has none.
    ///   - viewer: The viewer's number.
    ///   - wallMicroseconds: When, in microseconds since the Unix epoch.
    ///   - evidence: What the body holds, in short; built for the first viewer of each fingerprint, and where there are
    ///     several. It must not use the recorder.
    package func podObserved(
        _ slot: Int32,
        _ content: ComparedContent,
        fingerprint: UInt64,
        viewer: Int,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    ) {
        hot.withBreak(slot) {
            $0.countContent(
                content,
                fingerprint: fingerprint,
                viewer: viewer,
                wallMicroseconds: wallMicroseconds,
                evidence: evidence
            )
        }
    }

    /// A viewer found something wrong.
    ///
    /// - Parameters:
    ///   - code: What.
    ///   - viewer: The viewer's number.
    ///   - breakSlot: The break it concerns; -1 for none.
    ///   - wallMicroseconds: When, in microseconds since the Unix epoch.
    ///   - evidence: What was seen, redacted; it must not use the recorder.
    package func finding(
        _ code: FindingCode,
        viewer: Int,
        breakSlot: Int32,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    ) {
        guard !code.restsOnTime || !isOverBudget() else { return }
        if code.severity > .advice { hot.interval.findings &+= 1 }
        let key = FindingLedger.Key(code: code.code, breakKey: breakKey(of: breakSlot))
        ledger.record(key, viewer: viewer, wallMicroseconds: wallMicroseconds, evidence: evidence)
        changedFindings.insert(key)
    }

    /// A viewer was given one of several variants of what should be one; whom that affects shows at the end.
    ///
    /// - Parameters:
    ///   - code: What it is a finding of where not all got the same.
    ///   - subject: What there should be one of, the same text on every loop.
    ///   - fingerprint: The variant.
    ///   - viewer: The viewer's number.
    ///   - breakSlot: The break it concerns; -1 for none.
    ///   - wallMicroseconds: When, in microseconds since the Unix epoch.
    ///   - evidence: What the viewer got; built only for the first of each variant.
    package func given(
        _ code: FindingCode,
        subject: String,
        fingerprint: UInt64,
        viewer: Int,
        breakSlot: Int32,
        wallMicroseconds: Int64,
        evidence: @autoclosure () -> Evidence
    ) {
        let key = FindingLedger.Key(code: code.code, breakKey: breakKey(of: breakSlot))
        ledger.cast(key) {
            $0.cast(
                subject,
                fingerprint: fingerprint,
                viewer: viewer,
                wallMicroseconds: wallMicroseconds,
                evidence: evidence
            )
        }
        changedFindings.insert(key)
    }

    /// Empty for a slot that is none.
    func breakKey(of slot: Int32) -> String {
        slot >= 0 && Int(slot) < hot.breaks.count ? hot.breaks[Int(slot)].key : ""
    }

    /// Changes a break; does nothing for a slot that is none.
    func withBreak(_ slot: Int32, _ change: (inout BreakRecord) -> Void) { hot.withBreak(slot, change) }
}

extension BreakRecord {
    /// Stands in for every break past the limit.
    package static let overflowKey = "(later breaks)"
}
