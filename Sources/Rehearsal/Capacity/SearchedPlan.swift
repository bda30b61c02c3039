package import Comparison
package import Profile
package import Results
import Rules
import Synchronization
import Values

/// A profile whose capacity is searched, and what is asked of it.
package struct SearchedPlan: Sendable {
    /// Assumption, for profiles without abort conditions.
    private static let usualAbort = "all.errors > 50%"
    /// Assumption.
    private static let usualWatch = Duration.seconds(1_800)
    /// Assumption: after this, every playhead has reached a break of the channel.
    private static let furthestBehind = Duration.seconds(60)

    package let plan: LoadPlan
    package let rule: HoldRule
    /// With shards, the question that all of them agreed on.
    package var question: CapacityQuestion

    /// Zero if the channel schedules the breaks.
    package var spacing: Duration { .milliseconds(question.spacingMilliseconds) }
    package var rest: Duration { .milliseconds(question.restMilliseconds) }
    /// Longest wait for breaks of the channel; nil for the viewers' own.
    package var watch: Duration? {
        question.watchMaximumSeconds.map { .milliseconds(Int64((min(max($0, 0), 1e9) * 1_000).rounded())) }
    }
    package var isOfViewers: Bool { question.quantity == .viewers }

    /// A nil `rule` or `spacing` comes from the profile; a nil `watch` is the default within `length`, the limit of the search.
    ///
    /// `largest` is the largest value tried of a quantity that is a time.
    package init(
        _ plan: LoadPlan,
        quantity: CapacityQuestion.Quantity,
        rule: HoldRule? = nil,
        spacing: Duration? = nil,
        watch: Duration? = nil,
        length: Duration = .seconds(86_400),
        largest: Duration = .zero
    ) throws(CommandFailure) {
        self.plan = plan
        self.rule = rule ?? HoldRule(ofProfile: plan.thresholds)
        let least = Self.leastSpacing(of: plan, largest)
        let isOfChannel = !plan.breaks.source.canBeListed
        let wanted: Duration = isOfChannel ? .zero : spacing ?? max(least, .seconds(20))
        question = CapacityQuestion(quantity)
        question.hold = self.rule.texts
        question.spacingMilliseconds = wanted.millisecondsHeld
        question.watchMaximumSeconds = isOfChannel ? (watch ?? min(Self.usualWatch, length / 4)) / .seconds(1) : nil
        question.viewers = quantity == .viewers ? nil : plan.audience.viewers
        let shortest = "a break is over after \(least.text) at the earliest (breaks.podDuration, grace, lead)"
        let checks: [(Bool, String)] = [
            (
                plan.breaks.areNone,
                "breaks: none: a capacity is the most viewers whose breaks hold; name where breaks come from"
            ),
            (
                isOfChannel && spacing != nil,
                "--spacing: the breaks of this profile are the channel's, and come when it says; leave it out"
            ),
            (
                !isOfChannel && watch != nil,
                "--run-for: the breaks of this profile are the viewers' own and need no waiting; leave it out"
            ),
            (
                quantity != .viewers && plan.breaks.source == .none,
                "breaks.source: \(quantity.rawValue) is of pods that viewers ask for themselves; interstitials are asked for "
                    + "when each persona says, and stitched breaks are not asked for"
            ), (!isOfChannel && wanted < least, "--spacing \(wanted.text): \(shortest)"),
            (
                quantity == .jitter && plan.breaks.trigger == .rendezvous,
                "breaks.trigger: viewers of a rendezvous all ask at one instant; jitter needs trigger playhead"
            ),
        ]
        let problems = checks.filter(\.0).map(\.1)
        guard problems.isEmpty else { throw CommandFailure(problems.joined(separator: "\n")) }
    }

    /// Breaks must not overlap; viewers join and leave only after pods were fetched and before the next requests.
    private static func leastSpacing(of plan: LoadPlan, _ largest: Duration) -> Duration {
        let breaks = plan.breaks
        let ahead = max(breaks.lead + breaks.jitter, largest * 2)
        let judging = (breaks.grace + .seconds(2)) * 2
        let asking = (ahead + .milliseconds(500)) * 4
        return max(breaks.podDuration + ahead + .seconds(2), judging, asking, RunCourse.leastSpacing)
    }

    /// `value` is in milliseconds, for a quantity that is a time.
    package func run(_ course: RunCourse, value: Double? = nil) -> LoadPlan {
        var run = plan
        run.audience.viewers = course.viewers
        run.audience.curve = CurvePlan(points: course.points)
        run.audience.ramp = .zero
        run.duration = course.duration
        if course.enough == nil { run.breaks.source = .list(course.breaks.map { ListedBreak($0) }) }
        run.windows.warmUp = nil
        if let value {
            let time = Duration.milliseconds(Int64(min(max(value, 0), 3_600_000)))
            // Requests must not be spread beyond the start of their break.
            switch question.quantity {
            case .viewers: break
            case .jitter: (run.breaks.jitter, run.breaks.lead) = (time, max(run.breaks.lead, time))
            case .lead: (run.breaks.lead, run.breaks.jitter) = (time, min(run.breaks.jitter, time))
            }
        }
        if run.abort.isEmpty, let rule = try? ThresholdRule(parsing: Self.usualAbort) {
            run.abort = [rule]
            run.abortAfter = .seconds(10)
        }
        return run.digested()
    }

    package func timing(of run: LoadPlan) -> BreakGathering.Timing {
        // Includes the second of the first requests whole.
        let lead = run.breaks.lead + run.breaks.jitter + .seconds(1)
        // Viewers then join and leave for their next break.
        let patience = watch == nil ? spacing / 2 : Self.furthestBehind + run.breaks.grace
        return BreakGathering.Timing(
            leadMicroseconds: lead.nanosecondsHeld / 1_000,
            graceMicroseconds: run.breaks.grace.nanosecondsHeld / 1_000,
            patienceMicroseconds: patience.nanosecondsHeld / 1_000,
            isSpread: watch != nil
        )
    }

    /// False with additional breaks of the channel: no run waits until each playhead has reached them.
    package var countsSilent: Bool {
        let hasOthers = plan.breaks.playsInterstitials || plan.breaks.recognisesStitched
        return plan.everybodyIsDue && (watch != nil || !hasOthers)
    }

    /// Breaks of the channel have one audience, that of the first size; a quantity that is a time has the profile's own.
    package func course(_ sizes: [Double]) -> RunCourse {
        let sizes = sizes.map { isOfViewers ? Int(min(max($0, 1), 1e6)) : plan.audience.viewers }
        guard let watch else { return RunCourse(sizes: sizes, spacing: spacing, joinsPerSecond: joinsPerSecond) }
        return RunCourse(viewers: sizes.first ?? 1, count: sizes.count, longest: watch, joinsPerSecond: joinsPerSecond)
    }

    package var joinsPerSecond: Double { Double(plan.audience.viewers) / max(plan.audience.ramp / .seconds(1), 1) }
}

extension BreakPlan.Source {
    /// Whether the times of breaks can be changed.
    package var canBeListed: Bool { !each.isEmpty && !readsDateRanges }
}

/// Breaks and audience of one run of a search.
package struct RunCourse: Equatable, Sendable {
    package static let leastSpacing = Duration.seconds(4)
    private static let leastJoining = Duration.seconds(1)
    /// For playlists and sessions after the last join; that of the channel is an assumption.
    private static let settling = (own: Duration.seconds(4), ofChannel: Duration.seconds(10))

    /// Peak of concurrent viewers.
    package let viewers: Int
    /// Audience of each break; empty if the channel schedules them.
    package let sizes: [Int]
    /// From the start of the run; empty if the channel schedules them.
    package let breaks: [Duration]
    package let joining: Duration
    package let duration: Duration
    package let points: [CurvePoint]
    /// Earlier breaks are not judged: the audience is incomplete.
    package let firstJudged: Duration
    /// Judged breaks that end the run; nil for a fixed timetable.
    package let enough: Int?

    /// The first break comes once its audience has joined and settled.
    ///
    /// Viewers join or leave in the third quarter between breaks: no pods are fetched then, and all have a playlist before the
    /// next.
    package init(sizes: [Int], spacing: Duration, joinsPerSecond: Double) {
        let sizes = sizes.map { max(1, $0) }
        let spacing = max(spacing, Self.leastSpacing)
        let viewers = sizes.max() ?? 1
        let joining = Self.joining(sizes.first ?? 1, perSecond: joinsPerSecond)
        let breaks = sizes.indices.map { joining + max(Self.settling.own, spacing / 4) + spacing * $0 }
        let shares = sizes.map { Double($0) / Double(viewers) }
        var points = [CurvePoint(at: .zero, share: 0), CurvePoint(at: joining, share: shares.first ?? 1)]
        for (index, start) in breaks.enumerated().dropFirst() {
            points.append(CurvePoint(at: start - spacing / 2, share: shares[index - 1]))
            points.append(CurvePoint(at: start - spacing / 4, share: shares[index]))
        }
        (self.viewers, self.sizes, self.breaks, self.joining, self.points) = (viewers, sizes, breaks, joining, points)
        duration = (breaks.last ?? .zero) + spacing
        (firstJudged, enough) = (.zero, nil)
    }

    /// Times of the channel's breaks are unknown: one audience joins, settles, and watches until `count` breaks were judged.
    package init(viewers: Int, count: Int, longest: Duration, joinsPerSecond: Double) {
        self.viewers = max(1, viewers)
        (sizes, breaks) = ([], [])
        joining = Self.joining(self.viewers, perSecond: joinsPerSecond)
        points = [CurvePoint(at: .zero, share: 0), CurvePoint(at: joining, share: 1)]
        firstJudged = joining + Self.settling.ofChannel
        duration = firstJudged + max(longest, .seconds(1))
        enough = max(1, count)
    }

    private static func joining(_ viewers: Int, perSecond: Double) -> Duration {
        let seconds = Double(viewers) / max(perSecond, 0.001)
        return max(.milliseconds(Int64(min(seconds, 86_400) * 1_000)), leastJoining)
    }

    package func planned(at offset: Duration) -> Int {
        let level = AudienceCurve(viewers: viewers, points: points).level(at: offset.nanosecondsHeld)
        return max(0, Int(level.rounded()))
    }

    /// Adds breaks that were due but not counted, or one of the channel if a condition ended the run: the target missed it too.
    ///
    /// Microseconds since the Unix epoch; a break can be judged from `grace` after its start on.
    package func withLost(
        _ judged: [JudgedBreak],
        start: Int64,
        end: Int64,
        grace: Duration,
        abortedBy: String?
    ) -> [JudgedBreak] {
        let reason = abortedBy.map { "the run was ended by \($0)" }
        guard enough == nil else {
            return judged + (reason.map { [.lost(startMicroseconds: end, planned: viewers, reason: $0)] } ?? [])
        }
        let late = grace + .seconds(2)
        let lost = zip(breaks, sizes).compactMap { offset, size -> JudgedBreak? in
            let instant = start &+ offset.nanosecondsHeld / 1_000
            let isCounted = judged.contains { abs($0.startMicroseconds &- instant) < 1_000_000 }
            guard !isCounted, instant < end else { return nil }
            if let reason { return .lost(startMicroseconds: instant, planned: size, reason: reason) }
            guard instant &+ late.nanosecondsHeld / 1_000 <= end else { return nil }
            return .lost(startMicroseconds: instant, planned: size, reason: "no viewer was due")
        }
        return (judged + lost).sorted { $0.startMicroseconds < $1.startMicroseconds }
    }
}

/// Ends the run of a search when enough breaks are judged; a break is judged once all shards have reported it.
package final class CapacityWatch: IntervalSink {
    private struct Shard {
        var gathering: BreakGathering?
        var next = 0
        var isOver = false
        /// Reason, if the shard was lost.
        var lost: String?
        /// Last stretch without single intervals, from the start of the run.
        var gapMicroseconds: ClosedRange<Int64>?
        /// Over for this shard but not for all.
        var seen: [String: SeenBreak] = [:]

        var endMicroseconds: Int64 { gathering?.endMicroseconds ?? 0 }
    }

    private struct State {
        var judge: BreakJudge?
        var startMicroseconds: Int64 = 0
        var shards: [Shard]
        var judged: [JudgedBreak] = []
    }

    private let rule: HoldRule
    private let timing: BreakGathering.Timing
    private let endsAfterTwoMissed: Bool
    private let course: RunCourse
    private let countsSilent: Bool
    private let requests: RunRequests
    private let tell: @Sendable (JudgedBreak) -> Void
    private let state: Mutex<State>

    /// `countsSilent`: viewers without any report missed the break; `endsAfterTwoMissed`: two in a row, as in an escalation.
    package init(
        rule: HoldRule,
        course: RunCourse,
        timing: BreakGathering.Timing,
        countsSilent: Bool = true,
        shards: Int = 1,
        endsAfterTwoMissed: Bool,
        requests: RunRequests,
        tell: @escaping @Sendable (JudgedBreak) -> Void
    ) {
        (self.rule, self.timing, self.endsAfterTwoMissed, self.requests) = (rule, timing, endsAfterTwoMissed, requests)
        (self.tell, self.course, self.countsSilent) = (tell, course, countsSilent)
        state = Mutex(State(shards: (0..<max(1, shards)).map { _ in Shard() }))
    }

    package func telling(_ interval: RunInterval, of collector: RunCollector) -> @Sendable (_ isKept: Bool) -> Void {
        take(interval, ofShard: 0, collector.settings)
        return { _ in }
    }

    /// In the order of their numbers; the data of skipped intervals is unknown.
    package func take(_ interval: RunInterval, ofShard index: Int, _ settings: CollectorSettings) {
        let news = state.withLock { state -> [JudgedBreak] in
            // Breaks of a lost shard were judged without it.
            guard state.shards.indices.contains(index), !state.shards[index].isOver else { return [] }
            if state.judge == nil { begin(&state, settings) }
            if state.shards[index].gathering == nil {
                let start = settings.run.startedAtMicroseconds
                state.shards[index].gathering =
                    BreakGathering(timing: timing, generator: settings.health, runStartMicroseconds: start)
            }
            if interval.number > state.shards[index].next {
                let end = state.shards[index].endMicroseconds
                state.shards[index].gapMicroseconds = end...max(end, interval.startMicroseconds)
            }
            state.shards[index].next = interval.number &+ 1
            for seen in state.shards[index].gathering?.add(interval) ?? [] {
                state.shards[index].seen[seen.record.key] = seen
            }
            return judgeWhatIsOver(&state)
        }
        for judged in news { tell(judged) }
    }

    /// `reason`: later breaks give no information on the target; nil for a common end of all shards.
    package func end(ofShard index: Int, lostFor reason: String?) {
        let news = state.withLock { state -> [JudgedBreak] in
            guard state.shards.indices.contains(index), !state.shards[index].isOver else { return [] }
            state.shards[index].isOver = true
            state.shards[index].lost = reason
            takeRest(ofShard: index, &state)
            return judgeWhatIsOver(&state)
        }
        for judged in news { tell(judged) }
    }

    /// Complete after the end of the run.
    package var breaks: [JudgedBreak] {
        state.withLock { state in
            let known = Set(state.judged.map(\.key))
            var keys: Set<String> = []
            for index in state.shards.indices {
                if !state.shards[index].isOver { takeRest(ofShard: index, &state) }
                keys.formUnion(state.shards[index].seen.keys)
            }
            let rest = keys.subtracting(known).compactMap { judge($0, state) }
            return (state.judged + rest).sorted { ($0.startMicroseconds, $0.key) < ($1.startMicroseconds, $1.key) }
        }
    }
}

extension CapacityWatch {
    private func begin(_ state: inout State, _ settings: CollectorSettings) {
        state.startMicroseconds = settings.run.startedAtMicroseconds
        let course = self.course
        state.judge = BreakJudge(
            rule: rule,
            countsSilent: countsSilent,
            personaNames: settings.personas?.map(\.name) ?? [],
            runStartMicroseconds: settings.run.startedAtMicroseconds,
            planned: { course.planned(at: .microseconds($0)) }
        )
    }

    /// Unfinished breaks: no more data will come.
    private func takeRest(ofShard index: Int, _ state: inout State) {
        for seen in state.shards[index].gathering?.rest ?? [] { state.shards[index].seen[seen.record.key] = seen }
    }

    /// Returns new breaks; ends the run if they are enough.
    private func judgeWhatIsOver(_ state: inout State) -> [JudgedBreak] {
        let keys = state.shards.reduce(into: Set()) { $0.formUnion($1.seen.keys) }
        let over = keys.subtracting(state.judged.map(\.key)).filter { key in
            let start = state.shards.lazy.compactMap { $0.seen[key]?.record.startMicroseconds }.first ?? 0
            let until = start &- state.startMicroseconds &+ timing.patienceMicroseconds
            return state.shards.allSatisfy { shard in
                // A shard without due viewers reports nothing of the break.
                shard.seen[key] != nil || shard.isOver || shard.endMicroseconds >= until
            }
        }
        let news = over.compactMap { judge($0, state) }
            .sorted { ($0.startMicroseconds, $0.key) < ($1.startMicroseconds, $1.key) }
        for key in over { for index in state.shards.indices { state.shards[index].seen[key] = nil } }
        for judged in news {
            state.judged.append(judged)
            if endsAfterTwoMissed, state.judged.suffix(2).count(where: { $0.outcome != .held }) == 2 {
                requests.stop(.stopped(CapacityRunResult.twoMissed))
            }
            if let enough = course.enough, state.judged.count >= enough {
                requests.stop(.stopped(CapacityRunResult.enoughSeen))
            }
        }
        return news
    }

    private func judge(_ key: String, _ state: State) -> JudgedBreak? {
        let parts = state.shards.enumerated().compactMap { index, shard in
            shard.seen[key].map { (name: name(ofShard: index, state), seen: $0) }
        }
        guard let start = parts.first?.seen.record.startMicroseconds else { return nil }
        let offset = start &- state.startMicroseconds
        guard offset >= course.firstJudged.nanosecondsHeld / 1_000 else { return nil }
        let time = (offset &- timing.leadMicroseconds)...(offset &+ timing.patienceMicroseconds)
        let missing = state.shards.enumerated().flatMap { index, shard -> [String] in
            var reasons: [String] = []
            if let lost = shard.lost, shard.endMicroseconds < time.upperBound { reasons.append(lost) }
            if shard.gapMicroseconds?.overlaps(time) == true {
                reasons.append("what it did in this break came only as a sum")
            }
            return reasons.map { reason in name(ofShard: index, state).map { "\($0): \(reason)" } ?? reason }
        }
        return state.judge?.judge(parts, missing: missing)
    }

    private func name(ofShard index: Int, _ state: State) -> String? {
        state.shards.count == 1 ? nil : "shard \(index)"
    }
}
