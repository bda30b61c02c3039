package import HLS
package import Profile
package import Rules
package import Values

/// Handling of one event: the moment, the viewer, and the resulting actions.
///
/// Parts of a viewer get it with each call and append their actions; besides that they only return values.
package struct Turn {
    /// The moment of handling, or for a timer its deadline.
    package let now: Instant
    /// Nanoseconds that the handled answer had waited in its socket; 0 for other events.
    package let handling: Int64
    package let number: Int
    package let plan: ViewerPlan
    /// Index into the plan's list of personas.
    package let personaIndex: UInt8
    /// Playback facts of the persona, without its texts.
    package let playerFacts: PlaybackFacts
    package var joinedAt = Instant.distantPast
    /// First instant from which a break is due for the viewer even if it cannot request it.
    ///
    /// A viewer gets some seconds to join, but not after a failed request.
    package var dueSince = Instant.distantPast
    /// Whether the viewer begins to watch in this turn.
    package var begins = false
    /// The viewer's random source, carried from one event to the next.
    package var chance: ViewerChance
    /// Executed in this order; a shell lends its buffer, so that a turn allocates nothing.
    package var actions: [ViewerAction] = []
    /// Number of actions that will be answered by an event.
    package private(set) var startedRequests = 0

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

    /// When the handled answer arrived; `now` for other events.
    package var receivedAt: Instant { now &- handling }

    package var persona: Persona { plan.personas[Int(personaIndex)].persona }

    // MARK: Actions

    /// Sends a request that is answered by one event.
    ///
    /// Lateness is measured from `plannedAt`. `index` distinguishes simultaneous requests of one role. `breakSerial` is that of
    /// the viewer's break; 0 for none.
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

    /// Requests the live playlist with the request that the shell keeps for it.
    package mutating func poll(plannedAt: Instant) {
        startedRequests += 1
        actions.append(.poll(plannedAt: plannedAt))
    }

    /// Sets a timer, replacing the pending one of its kind.
    package mutating func schedule(_ timer: ViewerTimer, at instant: Instant) {
        actions.append(.schedule(timer, at: instant))
    }

    package mutating func cancel(_ timer: ViewerTimer) { actions.append(.cancel(timer)) }

    package mutating func count(_ counter: ViewerCounter) { actions.append(.note(.counted(counter))) }

    package mutating func count(_ counter: ViewerCounter, by amount: UInt64) {
        actions.append(.note(.added(counter, by: amount)))
    }

    package mutating func note(_ note: ViewerNote, of planned: PlannedBreak? = nil) {
        actions.append(.note(note, of: planned))
    }

    package mutating func act(_ action: ViewerAction) { actions.append(action) }
}

extension Turn {
    /// Index of the variant that this viewer plays, for the channel and pods alike.
    package func choice(of multivariant: MultivariantPlaylist) -> Int? {
        choice(of: multivariant, among: Array(multivariant.variants.indices))
    }

    package func choice(of multivariant: MultivariantPlaylist, among indices: [Int]) -> Int? {
        plan.variant(of: multivariant, among: indices, viewer: number)
    }
}
