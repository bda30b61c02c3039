package import AdServing
package import Profile
import Synchronization
package import Values
import Viewer

/// Thread-safe; reads no clock.
package final class CallScheduler: Sendable {
    package struct Tally: Equatable, Sendable {
        package var taken = 0
        package var refused = 0
    }

    private struct State {
        var tally = Tally()
        /// Includes withdrawn breaks: no ordinal comes twice.
        var made = 0
        var recent: [WallTime] = []
        var ids: [String] = []
        var longest: Duration
    }

    /// A run may go for weeks.
    private static let keptIDs = 4_096
    private static let mostHeldAgainst = 10_000

    private let plan: BreakPlan
    private let trigger: TriggerPlan
    private let shortestLead: Duration
    private let called = CalledBreaks()
    private let calendar: BreakCalendar
    private let end: WallTime
    private let announce: @Sendable (ScheduledBreak) -> Void
    private let state: Mutex<State>

    /// `shards` learn of each break; `run` lasts from the first join to the end of viewing.
    package init(
        _ plan: BreakPlan,
        _ trigger: TriggerPlan,
        shards: Int = 1,
        run: Range<WallTime>,
        announce: @escaping @Sendable (ScheduledBreak) -> Void
    ) {
        self.plan = plan
        self.trigger = trigger
        shortestLead = plan.shortestCallLead(shards: shards)
        calendar = BreakCalendar(plan, runStart: run.lowerBound, called: called)
        end = run.upperBound
        self.announce = announce
        state = Mutex(State(longest: plan.source.ownDurations.reduce(plan.podDuration, max)))
    }

    package var tally: Tally { state.withLock { $0.tally } }

    /// Announces the returned break.
    package func take(_ call: BreakCall, at now: WallTime) throws(CallRefusal) -> ScheduledBreak {
        try state.withLock { state throws(CallRefusal) in
            do throws(CallRefusal) {
                let scheduled = try scheduled(call, at: now, &state)
                state.tally.taken += 1
                // Within the lock: viewers learn of breaks in the order of their numbers.
                announce(scheduled)
                return scheduled
            } catch {
                state.tally.refused += 1
                throw error
            }
        }
    }

    /// For a call that not all shards can hear of; its time stays occupied, because some viewers have a break there.
    package func withdraw() {
        state.withLock { state in
            state.tally.taken -= 1
            state.tally.refused += 1
        }
    }

    package func refuse() { state.withLock { $0.tally.refused += 1 } }

    private func scheduled(_ call: BreakCall, at now: WallTime, _ state: inout State) throws(CallRefusal)
        -> ScheduledBreak
    {
        let lead = call.lead ?? trigger.lead
        guard lead >= shortestLead else {
            throw .outOfBounds(
                "\(lead.text) is too late: viewers are to know of a break \(shortestLead.text) before it"
            )
        }
        let ordinal = state.made + 1
        let scheduled = ScheduledBreak(
            calledFor: Self.wholeMillisecond(notBefore: now + lead),
            duration: call.duration ?? plan.podDuration,
            ordinal: ordinal,
            id: call.id ?? "call-\(ordinal)",
            scte35: call.scte35
        )
        guard scheduled.start < end else { throw .outOfBounds("the run is over before the break begins") }
        if let id = call.id, state.ids.contains(id) { throw .conflict("a break of this id was called for before") }
        if let other = conflict(with: scheduled, longest: state.longest) {
            throw .conflict("it would meet the break at \(other.start.iso8601) of \(other.duration.text)")
        }
        state.recent.removeAll { $0 + .seconds(60) <= now }
        guard state.recent.count < trigger.mostPerMinute else {
            throw .tooMany("\(trigger.mostPerMinute) calls a minute are taken")
        }
        state.recent.append(now)
        state.longest = max(state.longest, scheduled.duration)
        if let id = call.id {
            if state.ids.count == Self.keptIDs { state.ids.removeFirst() }
            state.ids.append(id)
        }
        state.made = ordinal
        called.add(scheduled)
        return scheduled
    }

    private var earliestAsk: Duration { plan.lead + plan.jitter }

    /// A break whose ads overlap the requests for this one, or the reverse.
    private func conflict(with new: ScheduledBreak, longest: Duration) -> ScheduledBreak? {
        var instant = new.start - earliestAsk - longest
        for _ in 0..<Self.mostHeldAgainst {
            guard let other = calendar.nextBreak(after: instant, clickedAt: instant, isFirst: false),
                other.start < new.end + earliestAsk
            else { return nil }
            if other.end > new.start - earliestAsk { return other }
            instant = other.start
        }
        return nil
    }

    /// Breaks are identified by their starts in milliseconds.
    private static func wholeMillisecond(notBefore instant: WallTime) -> WallTime {
        let rest = instant.microseconds % 1_000
        return rest == 0 ? instant : instant + .microseconds(1_000 - rest)
    }
}

extension ScheduledBreak {
    init(calledFor start: WallTime, duration: Duration, ordinal: Int, id: String, scte35: String?) {
        self.init(
            start: start,
            duration: duration,
            key: start.iso8601,
            ordinal: ordinal,
            dateRangeID: id,
            scte35: scte35
        )
    }
}
