package import AdServing
import Audience
package import LoadProfile
package import Rendezvous
package import Time

/// The breaks of a run of several shards that were called for: the first shard, which takes all calls, puts each break where they
/// meet, and every shard has it from there, the first one too.
///
/// So all have the same breaks in the same order, and whoever called is told that a break is taken when all can see it.
package actor CallBoard {
    /// Where they lie.
    static let group = "calls"
    /// Two calls at once may arrive the second one first.
    private static let lookedAtAgain = 64
    /// So long the place may be silent before anybody is told.
    private static let patience = Duration.seconds(5)

    /// What this shard came to know.
    package struct Tally: Equatable, Sendable {
        package var heard = 0
        /// Breaks of which it heard when its first viewers should have asked, or later.
        package var late = 0
        /// How much later at most.
        package var latest = Duration.zero
        /// Why it is not known whether there were more; nil where it is.
        package var trouble: String?
    }

    private let place: any RendezvousPlace
    private let plan: BreakPlan
    private let run: Range<WallTime>
    private let period: Duration
    private let now: @Sendable () -> WallTime
    private let announce: @Sendable (ScheduledBreak) -> Void
    private let tell: @Sendable (String) -> Void

    /// Those that may be listed again.
    private var heard: Set<Int> = []
    private var newest = 0
    private var unreadable: Set<String> = []
    private var silentSince: WallTime?
    package private(set) var tally = Tally()

    /// - Parameters:
    ///   - place: Where the shards meet.
    ///   - plan: Of the breaks.
    ///   - shards: How many there are.
    ///   - run: From the first join to the moment when viewers stop.
    ///   - now: The run's wall clock, which is one for all shards.
    ///   - announce: Has the viewers of this shard know of a break.
    ///   - tell: Whoever looks on.
    package init(
        in place: any RendezvousPlace,
        _ plan: BreakPlan,
        shards: Int,
        run: Range<WallTime>,
        now: @escaping @Sendable () -> WallTime,
        announce: @escaping @Sendable (ScheduledBreak) -> Void,
        tell: @escaping @Sendable (String) -> Void
    ) {
        self.place = place
        self.plan = plan
        self.run = run
        period = TriggerPlan.looking(shards: shards)
        self.now = now
        self.announce = announce
        self.tell = tell
    }

    /// Puts a break where all shards find it.
    ///
    /// - Parameter scheduled: The break, whose ordinal none before had.
    /// - Throws: `CallRefusal.closed` where the place does not answer while there still is time to learn of the break.
    package nonisolated func post(_ scheduled: ScheduledBreak) async throws(CallRefusal) {
        let note = CallNote(scheduled)
        let deadline = scheduled.start - plan.shortestCallLead(shards: 1)
        while true {
            do throws(RendezvousError) {
                // Where the name is taken, what was put before has arrived and its answer has not.
                _ = try await place.put(try note.placed(), in: Self.group, as: CallNote.name(scheduled.ordinal))
                return
            } catch {
                guard !error.isLasting, now() + period < deadline else {
                    throw .closed("the place where the shards meet does not answer: \(error)")
                }
                try? await Task.sleep(for: period)
            }
        }
    }

    /// Looks for breaks again and again, until the task is cancelled.
    package func follow() async {
        while !Task.isCancelled {
            await look()
            try? await Task.sleep(for: period)
        }
    }

    /// Has the viewers know of what has come, and keeps in mind where nothing could be read.
    package func look() async {
        let number = max(0, newest - Self.lookedAtAgain)
        var entries: [RendezvousListing.Entry] = []
        do throws(RendezvousError) {
            try await place.read(Self.group, after: CallNote.name(number)) { listed in
                entries += listed
                return true
            }
            if silentSince != nil, tally.trouble != nil { tell("The place where the shards meet answers again.") }
            silentSince = nil
            tally.trouble = nil
        } catch {
            let since = silentSince ?? now()
            silentSince = since
            let isNew = tally.trouble == nil
            guard now() >= since + Self.patience, isNew else { return }
            tally.trouble = "\(error)"
            tell("The place where the shards meet does not answer, and calls for breaks are not heard: \(error)")
        }
        for entry in entries { take(entry) }
    }

    /// Looks a last time, so that it is known what was missed.
    ///
    /// - Returns: What this shard came to know in all.
    package func end() async -> Tally {
        await look()
        if silentSince != nil, tally.trouble == nil {
            tally.trouble = "the place where the shards meet does not answer"
        }
        return tally
    }

    private func take(_ entry: RendezvousListing.Entry) {
        guard let number = CallNote.number(of: entry.name), !heard.contains(number),
            number > newest - Self.lookedAtAgain
        else { return }
        guard let scheduled = CallNote.scheduled(entry.content, ordinal: number), run.contains(scheduled.start)
        else {
            if unreadable.insert(entry.name).inserted {
                tell("What lies under \(Self.group)/\(entry.name) is no break that was called for, and is left out.")
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
