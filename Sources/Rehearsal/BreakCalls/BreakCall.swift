package import AdServing
package import Profile
import Synchronization
package import Values
import Viewer

/// Omitted facts come from the profile.
package struct BreakCall: Equatable, Sendable {
    /// From the call to the start of the break.
    package var lead: Duration?
    package var duration: Duration?
    /// A splice_info_section in base64 or hexadecimal, for `scte35` of the pod requests.
    package var scte35: String?
    /// A second call with the same id is refused.
    package var id: String?

    /// Bytes.
    package static let longestText = 4_096
    package static let longestID = 64
    private static let longestSplice = 2_048
    static let lengths: ClosedRange<Duration> = .seconds(1) ... .seconds(3_600)
    private static let leads: ClosedRange<Duration> = .zero ... .seconds(86_400)
    private static let limits = JSONLimits(bytes: longestText, depth: 4, values: 32)
    private static let spliceMarks = "+/="
    private static let idMarks = "-_.:"

    /// Parses a line or a request's body: a duration such as `15s`, or a JSON object; nil for white space.
    ///
    /// Problems do not quote text that would need escaping.
    package static func reading(_ text: some Collection<UInt8>) throws(CallRefusal) -> BreakCall? {
        guard text.count <= longestText else { throw .malformed("is longer than \(longestText) bytes") }
        let bytes = Array(text)
        guard let first = bytes.firstIndex(where: { !isSpace($0) }),
            let last = bytes.lastIndex(where: { !isSpace($0) })
        else { return nil }
        guard bytes[first] != UInt8(ascii: "{") else { return try object(bytes) }
        guard let word = String(validating: bytes[first...last], as: UTF8.self), word.utf8.count <= 32,
            let duration = Duration(text: word)
        else { throw .malformed("is neither a duration such as 15s nor a JSON object") }
        return BreakCall(duration: try checked(duration, in: lengths, "the duration"))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func object(_ bytes: [UInt8]) throws(CallRefusal) -> BreakCall {
        let members: JSONObject
        do {
            members = try bytes.withUnsafeBytes { try JSONValue(parsing: $0, within: limits).members }
        } catch {
            throw .malformed("is \(limits.words(for: error as? JSONError ?? .notJSON))")
        }
        var call = BreakCall()
        var seen: Set<String> = []
        for member in members.all {
            let (field, value) = (member.name, member.value)
            guard seen.insert(field).inserted else { throw .malformed("holds \(field) twice") }
            switch field {
            case "in_ms": call.lead = try checked(try milliseconds(value, field), in: leads, field)
            case "duration_ms": call.duration = try checked(try milliseconds(value, field), in: lengths, field)
            case "scte35": call.scte35 = try word(value, field, atMost: longestSplice, besides: spliceMarks)
            case "id": call.id = try word(value, field, atMost: longestID, besides: idMarks)
            default: throw .malformed("holds an unknown field; allowed: in_ms, duration_ms, scte35, id")
            }
        }
        return call
    }

    private static func milliseconds(_ value: JSONValue, _ field: String) throws(CallRefusal) -> Duration {
        guard case .number(let number) = value, let whole = Int64(exactly: number), abs(whole) < 1 << 40 else {
            throw .malformed("has a \(field) that is not a whole number of milliseconds")
        }
        return .milliseconds(whole)
    }

    private static func checked(
        _ duration: Duration,
        in range: ClosedRange<Duration>,
        _ name: String
    ) throws(CallRefusal) -> Duration {
        guard range.contains(duration) else {
            throw .outOfBounds("\(name) is not from \(range.lowerBound.text) to \(range.upperBound.text)")
        }
        return duration
    }

    private static func word(
        _ value: JSONValue,
        _ field: String,
        atMost longest: Int,
        besides marks: String
    ) throws(CallRefusal) -> String {
        guard case .string(let text) = value, !text.isEmpty, text.utf8.count <= longest else {
            throw .malformed("has a \(field) that is not a text of 1 to \(longest) bytes")
        }
        guard isWord(text, besides: marks) else {
            throw .malformed("has a \(field) with a character other than letters, digits and \(marks)")
        }
        return text
    }

    private static func isWord(_ text: String, besides marks: String) -> Bool {
        text.utf8.allSatisfy { $0.isAlphanumeric || marks.utf8.contains($0) }
    }

    static func isID(_ text: String) -> Bool {
        (1...longestID).contains(text.utf8.count) && isWord(text, besides: idMarks)
    }

    static func isSplice(_ text: String) -> Bool {
        (1...longestSplice).contains(text.utf8.count) && isWord(text, besides: spliceMarks)
    }
}

package enum CallRefusal: Error, Equatable, Sendable {
    case malformed(String)
    case outOfBounds(String)
    /// Overlaps another break, or repeats a call.
    case conflict(String)
    case tooMany(String)
    /// The run has not begun, or is over.
    case closed(String)

    package var text: String {
        switch self {
        case .malformed(let predicate): "the call \(predicate)"
        case .outOfBounds(let text), .conflict(let text), .tooMany(let text), .closed(let text): text
        }
    }
}

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
        (self.plan, self.trigger) = (plan, trigger)
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
