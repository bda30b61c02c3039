package import Time

/// A time in which a loop was kept from its work: stopped, without a core, or with too much to do at once.
package struct LoopStall: Equatable, Sendable {
    /// When the first timer was due that did not fire.
    package let beganAt: Instant
    package let endedAt: Instant

    /// Nanoseconds.
    package var length: Int64 { endedAt &- beganAt }

    /// Whether what is seen at a moment may come of it.
    ///
    /// That it takes as long to get over a stall as it lasted is podswarm's assumption.
    package func reaches(_ moment: Instant) -> Bool { moment < endedAt.later(by: length) }
}
