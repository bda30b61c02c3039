import Comparison
package import Results
import Synchronization
import Values

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

    package func telling(
        _ interval: RunInterval,
        of collector: RunCollector
    ) -> @Sendable (_ isKept: Bool) -> Void {
        take(interval, ofShard: 0, collector.settings)
        return { _ in }
    }

    /// In the order of their numbers; the data of skipped intervals is unknown.
    package func take(_ interval: RunInterval, ofShard index: Int, _ settings: CollectorSettings) {
        let news = state.withLock { state -> [JudgedBreak] in
            // Breaks of a lost shard were judged without it.
            guard state.shards.indices.contains(index), !state.shards[index].isOver else { return [] }
            if state.judge == nil { begin(&state, settings) }
            var gathering = state.shards[index].gathering ?? self.gathering(settings)
            // Leaves one reference, so that the value is changed in place.
            state.shards[index].gathering = nil
            if interval.number > state.shards[index].next {
                let end = max(gathering.endMicroseconds, interval.startMicroseconds)
                state.shards[index].gapMicroseconds = gathering.endMicroseconds...end
            }
            state.shards[index].next = interval.number &+ 1
            for seen in gathering.add(interval) { state.shards[index].seen[seen.record.key] = seen }
            state.shards[index].gathering = gathering
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

    package func rotate() {}

    package var problems: [String] { [] }
}

// MARK: Judging

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

    private func gathering(_ settings: CollectorSettings) -> BreakGathering {
        BreakGathering(
            timing: timing,
            generator: settings.emptyHealth,
            runStartMicroseconds: settings.run.startedAtMicroseconds
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
                shard.seen[key] != nil || shard.isOver || (shard.gathering?.endMicroseconds ?? 0) >= until
            }
        }
        let news = over.compactMap { judge($0, state) }
            .sorted { ($0.startMicroseconds, $0.key) < ($1.startMicroseconds, $1.key) }
        for key in over {
            for index in state.shards.indices { state.shards[index].seen[key] = nil }
        }
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
            if let lost = shard.lost, (shard.gathering?.endMicroseconds ?? 0) < time.upperBound { reasons.append(lost) }
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
