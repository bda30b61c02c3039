package import HLS
package import Profile
package import Rules
package import Values

/// Handling of one event: parts of a viewer append their actions to it; besides that they only return values.
package struct Turn {
    /// The moment of handling, or for a timer its deadline.
    package let now: Instant
    /// Nanoseconds that the handled answer had waited in its socket.
    package let handling: Int64
    package let number: Int
    package let plan: ViewerPlan
    package let personaIndex: UInt8
    package let playerFacts: PlaybackFacts
    package var joinedAt = Instant.distantPast
    /// Breaks are due from here even if the viewer cannot request them: it gets some seconds to join, but not after a failed
    /// request.
    package var dueSince = Instant.distantPast
    package var begins = false
    package var chance: ViewerChance
    /// A shell lends its buffer, so that a turn allocates nothing.
    package var actions: [ViewerAction] = []
    package private(set) var startedRequests = 0

    package init(
        now: Instant,
        handling: Int64 = 0,
        number: Int,
        plan: ViewerPlan,
        personaIndex: UInt8,
        chance: ViewerChance
    ) {
        (self.now, self.handling, self.number, self.plan) = (now, handling, number, plan)
        self.personaIndex = personaIndex
        playerFacts = plan.playbackFacts[Int(personaIndex)]
        self.chance = chance
    }

    /// When the handled answer arrived; `now` for other events.
    package var receivedAt: Instant { now &- handling }

    package var persona: Persona { plan.personas[Int(personaIndex)].persona }

    /// Lateness is measured from `plannedAt`; `breakSerial` is 0 for none, and `index` distinguishes requests of one role.
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

    /// The shell keeps the request of the live playlist.
    package mutating func poll(plannedAt: Instant) {
        startedRequests += 1
        actions.append(.poll(plannedAt: plannedAt))
    }

    /// Replaces the pending timer of its kind.
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

    package func choice(of multivariant: MultivariantPlaylist) -> Int? {
        choice(of: multivariant, among: Array(multivariant.variants.indices))
    }

    package func choice(of multivariant: MultivariantPlaylist, among indices: [Int]) -> Int? {
        plan.variant(of: multivariant, among: indices, viewer: number)
    }
}
