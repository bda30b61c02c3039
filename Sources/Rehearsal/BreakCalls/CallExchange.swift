package import AdServing
import Foundation
package import Profile
package import Results
package import Values
import Viewer

/// The first shard accepts calls and posts breaks at the meeting point; all shards, it too, read the same breaks there.
///
/// A caller hears of acceptance once all shards can see the break.
package actor CallExchange {
    static let group = "calls"
    /// Concurrent calls may arrive in either order.
    private static let lookedAtAgain = 64
    /// Silence of the meeting point before it is reported; also a caller's timeout.
    private static let patience = Duration.seconds(5)
    /// Numbers further ahead belong to another run.
    private static let lookedAhead = 4_096

    package struct Tally: Equatable, Sendable {
        package var heard = 0
        /// Read only when the first viewers should have asked.
        package var late = 0
        package var latest = Duration.zero
        /// Reason why breaks may be missing; nil for a complete count.
        package var trouble: String?
    }

    private let place: any RendezvousPlace
    private let plan: BreakPlan
    private let run: Range<WallTime>
    private let period: Duration
    private let now: @Sendable () -> WallTime
    private let announce: @Sendable (ScheduledBreak) -> Void
    private let tell: @Sendable (String) -> Void

    /// May be listed again.
    private var heard: Set<Int> = []
    private var newest = 0
    private var unreadable: Set<String> = []
    private var silentSince: WallTime?
    package private(set) var tally = Tally()

    /// `run` lasts from the first join until viewers stop; `now` is the wall clock of all shards.
    package init(
        in place: any RendezvousPlace,
        _ plan: BreakPlan,
        shards: Int,
        run: Range<WallTime>,
        now: @escaping @Sendable () -> WallTime,
        announce: @escaping @Sendable (ScheduledBreak) -> Void,
        tell: @escaping @Sendable (String) -> Void
    ) {
        (self.place, self.plan, self.run) = (place, plan, run)
        period = TriggerPlan.looking(shards: shards)
        (self.now, self.announce, self.tell) = (now, announce, tell)
    }

    /// `scheduled` has a new ordinal.
    ///
    /// Throws `CallRefusal.closed` after some seconds of failures, when it is too late, or on cancellation.
    package nonisolated func post(_ scheduled: ScheduledBreak) async throws(CallRefusal) {
        let deadline = min(scheduled.start - plan.shortestCallLead(shards: 1), now() + Self.patience)
        while true {
            do throws(RendezvousError) {
                let content = try PostedCall(scheduled).placed()
                guard try await place.put(content, in: Self.group, as: PostedCall.name(scheduled.ordinal)) else {
                    throw RendezvousError("something else lies there")
                }
                return
            } catch {
                guard !error.isLasting, !Task.isCancelled, now() + period < deadline else {
                    throw .closed("where the shards meet the break may not have arrived: \(error)")
                }
                try? await Task.sleep(for: period)
            }
        }
    }

    package func follow() async {
        while !Task.isCancelled {
            await look()
            try? await Task.sleep(for: period)
        }
    }

    /// Announces new breaks; records whether the meeting point answered.
    package func look() async {
        let number = max(0, newest - Self.lookedAtAgain)
        var entries: [RendezvousListing.Entry] = []
        do throws(RendezvousError) {
            try await place.read(Self.group, after: PostedCall.name(number)) { listed in
                entries += listed
                return true
            }
            if tally.trouble != nil { tell("The place where the shards meet answers again.") }
            silentSince = nil
            tally.trouble = nil
        } catch {
            let since = silentSince ?? now()
            silentSince = since
            if now() >= since + Self.patience, tally.trouble == nil {
                tally.trouble = "\(error)"
                tell("The place where the shards meet does not answer, and calls for breaks are not heard: \(error)")
            }
        }
        // Entries listed before it fell silent are valid.
        for entry in entries { take(entry) }
    }

    /// A meeting point that has just fallen silent is not reported.
    package func end() async -> Tally {
        await look()
        return tally
    }

    private func take(_ entry: RendezvousListing.Entry) {
        guard let number = PostedCall.number(of: entry.name), !heard.contains(number),
            number > newest - Self.lookedAtAgain
        else { return }
        guard number <= newest + Self.lookedAhead, let scheduled = PostedCall.scheduled(entry.content, ordinal: number),
            run.contains(scheduled.start)
        else {
            if unreadable.insert(entry.name).inserted {
                tell("\(Self.group)/\(entry.name) is not a valid break call and is ignored.")
            }
            return
        }
        heard.insert(number)
        newest = max(newest, number)
        heard = heard.filter { $0 > newest - Self.lookedAtAgain }
        tally.heard += 1
        let lateness = now().duration(since: scheduled.start - plan.shortestCallLead(shards: 1))
        if lateness > .zero {
            tally.late += 1
            tally.latest = max(tally.latest, lateness)
            tell("The break at \(scheduled.start.iso8601) is heard of \(lateness.text) too late.")
        }
        announce(scheduled)
    }
}

struct PostedCall: PlacedNote {
    /// Since the Unix epoch.
    var startMicroseconds: Int64
    var durationMicroseconds: Int64
    var id: String
    var scte35: String?

    init(_ scheduled: ScheduledBreak) {
        startMicroseconds = scheduled.start.microseconds
        durationMicroseconds = scheduled.duration.nanosecondsHeld / 1_000
        id = scheduled.dateRangeID ?? scheduled.key
        scte35 = scheduled.scte35
    }

    /// Names sort as numbers do.
    static func name(_ number: Int) -> String { "call-" + String(number).leftPadded(to: 9) }

    static func number(of name: String) -> Int? {
        guard name.hasPrefix("call-"), let number = Int(name.dropFirst(5)), number > 0, self.name(number) == name else {
            return nil
        }
        return number
    }

    /// Nil for content that no caller could have asked for.
    static func scheduled(_ content: Data, ordinal: Int) -> ScheduledBreak? {
        guard let note = Self(placed: content), note.startMicroseconds.magnitude < 1 << 56, BreakCall.isID(note.id),
            note.scte35.map(BreakCall.isSplice) ?? true
        else { return nil }
        let duration = Duration.microseconds(note.durationMicroseconds)
        guard BreakCall.lengths.contains(duration) else { return nil }
        return ScheduledBreak(
            calledFor: WallTime(microseconds: note.startMicroseconds),
            duration: duration,
            ordinal: ordinal,
            id: note.id,
            scte35: note.scte35
        )
    }
}
