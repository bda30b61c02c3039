package import Players
package import Rulebook
package import Time

/// One event being handled: the moment, whose turn it is, and what is to be done about it.
///
/// Parts of a viewer get it with each call and write down there what they want done; nothing else leaves them but what
/// they return.
package struct Turn {
    /// The moment at which the event is handled, or for a timer the deadline it was set to.
    package let now: Instant
    /// Nanoseconds that the answer which is handled had lain in its socket; 0 for everything else.
    package let handling: Int64
    /// The viewer's.
    package let number: Int
    package let plan: ViewerPlan
    /// The player that this viewer watches with, as an index into the plan's list.
    package let personaIndex: UInt8
    /// What the player does about the channel, without its texts.
    package let playerFacts: PlaybackFacts
    /// When the viewer began to join.
    package var joinedAt = Instant.distantPast
    /// The first instant at which a break is due for the viewer also where it cannot ask for it.
    ///
    /// A viewer gets some seconds to join; not after a request that failed.
    package var dueSince = Instant.distantPast
    /// Whether the viewer begins to watch in this turn.
    package var begins = false
    /// The viewer's own source of chance, which goes on from one event to the next.
    package var chance: ViewerChance
    /// What is to be done, in this order; a shell lends its buffer, so that nothing is allocated for a turn.
    package var actions: [ViewerAction] = []
    /// How many of the actions ask for something that will be answered.
    package private(set) var startedRequests = 0

    /// - Parameters:
    ///   - now: The moment of the event.
    ///   - handling: Nanoseconds by which that is later than the answer's last byte.
    ///   - number: The viewer's.
    ///   - plan: What all viewers of the run have in common.
    ///   - personaIndex: Of the viewer's player in the plan's list.
    ///   - chance: Where the viewer's source of chance has come to.
    package init(
        now: Instant,
        handling: Int64 = 0,
        number: Int,
        plan: ViewerPlan,
        personaIndex: UInt8,
        chance: ViewerChance
    ) {
        self.now = now
        self.handling = handling
        self.number = number
        self.plan = plan
        self.personaIndex = personaIndex
        playerFacts = plan.playbackFacts[Int(personaIndex)]
        self.chance = chance
    }

    /// When the answer that is handled had come; `now` for everything else.
    package var receivedAt: Instant { now &- handling }

    /// How this viewer's player behaves.
    package var persona: Persona { plan.personas[Int(personaIndex)].persona }

    // MARK: Actions

    /// Asks for something that is answered by one event.
    ///
    /// - Parameters:
    ///   - role: Why it is asked for.
    ///   - url: Where, absolute.
    ///   - plannedAt: When it was due: lateness is measured from here.
    ///   - index: Tells requests of one role apart that are under way at once.
    ///   - breakSerial: Of the viewer's break that the request is for; 0 for none.
    package mutating func fetch(
        _ role: ViewerRole,
        url: String,
        plannedAt: Instant,
        index: UInt8 = 0,
        breakSerial: UInt16 = 0
    ) {
        startedRequests += 1
        actions.append(.fetch(role, url: url, plannedAt: plannedAt, index: index, breakSerial: breakSerial))
    }

    /// Asks for the live playlist, by the request that the shell keeps for it.
    package mutating func poll(plannedAt: Instant) {
        startedRequests += 1
        actions.append(.poll(plannedAt: plannedAt))
    }

    /// Sets a timer, in place of the one of its kind that is pending.
    package mutating func schedule(_ timer: ViewerTimer, at instant: Instant) {
        actions.append(.schedule(timer, at: instant))
    }

    /// Lets a timer go; one that is not pending stays so.
    package mutating func cancel(_ timer: ViewerTimer) { actions.append(.cancel(timer)) }

    package mutating func count(_ counter: ViewerCounter) { actions.append(.note(.counted(counter))) }

    package mutating func count(_ counter: ViewerCounter, by amount: UInt64) {
        actions.append(.note(.added(counter, by: amount)))
    }

    /// Says what happened, for the measurement; `planned` is the break that it happened to.
    package mutating func note(_ note: ViewerNote, of planned: PlannedBreak? = nil) {
        actions.append(.note(note, of: planned))
    }

    /// Wants anything else done.
    package mutating func act(_ action: ViewerAction) { actions.append(action) }
}
