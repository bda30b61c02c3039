package import Values

/// A period in which a loop could not work: stopped, without a core, or overloaded.
package struct LoopStall: Equatable, Sendable {
    /// The deadline of the first timer that did not fire.
    package let beganAt: Instant
    package let endedAt: Instant

    /// In nanoseconds.
    package var length: Int64 { endedAt &- beganAt }

    /// Whether the stall may affect an observation at `moment`.
    ///
    /// That recovery takes as long as the stall itself is podswarm's assumption.
    package func reaches(_ moment: Instant) -> Bool { moment < endedAt.later(by: length) }
}

/// Statistics of a loop since the last reading: the generator's own health, in nanoseconds.
package struct LoopStatistics: Equatable, Sendable {
    /// The greatest distance between a timer's deadline and the moment it fired.
    package var maximumTimerDelay: Int64 = 0
    /// Time spent working: neither waiting nor spinning until a timer is due.
    package var busy: Int64 = 0
}
