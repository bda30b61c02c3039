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
    /// So long the place may be silent before anybody is told, and a caller waits for it.
    private static let patience = Duration.seconds(5)
    /// More calls than can be under way at once: what is numbered further ahead is none of this run's.
    private static let lookedAhead = 4_096

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
    /// - Throws: `CallRefusal.closed` where it does not lie there within some seconds, while there still is time to learn of the
    ///   break, or before the task is cancelled.
    package nonisolated func post(_ scheduled: ScheduledBreak) async throws(CallRefusal) {
        let deadline = min(scheduled.start - plan.shortestCallLead(shards: 1), now() + Self.patience)
        while true {
            do throws(RendezvousError) {
                guard try await put(scheduled) else { throw RendezvousError("something else lies there") }
                return
            } catch {
                guard !error.isLasting, !Task.isCancelled, now() + period < deadline else {
                    throw .closed("where the shards meet the break may not have arrived: \(error)")
                }
                try? await Task.sleep(for: period)
            }
        }
    }

    /// Puts a break, unless it lies there: what was put before may have arrived though its answer has not.
    private nonisolated func put(_ scheduled: ScheduledBreak) async throws(RendezvousError) -> Bool {
        let (name, content) = (CallNote.name(scheduled.ordinal), try CallNote(scheduled).placed())
        if try await place.put(content, in: Self.group, as: name) { return true }
        let listing = try await place.list(Self.group, after: CallNote.name(scheduled.ordinal - 1))
        return listing.entries.first { $0.name == name }?.content == content
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
        // What was listed before it fell silent is there all the same.
        for entry in entries { take(entry) }
    }

    /// Looks a last time, so that it is known what was missed.
    ///
    /// - Returns: What this shard came to know in all; that the place has just fallen silent is no trouble.
    package func end() async -> Tally {
        await look()
        return tally
    }

    private func take(_ entry: RendezvousListing.Entry) {
        guard let number = CallNote.number(of: entry.name), !heard.contains(number),
            number > newest - Self.lookedAtAgain
        else { return }
        guard number <= newest + Self.lookedAhead, let scheduled = CallNote.scheduled(entry.content, ordinal: number),
            run.contains(scheduled.start)
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
