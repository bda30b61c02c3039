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
