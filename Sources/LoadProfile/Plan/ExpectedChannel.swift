/// Facts of a target's channel that a bill needs and a run does not; nil where the profile does not say.
package struct ExpectedChannel: Sendable, Equatable {
    package var targetDuration: Duration?
    /// Time from the start of one break to the next.
    package var breakInterval: Duration?
    /// Shift of all starts from the multiples of the interval since the Unix epoch.
    package var breakOffset: Duration?
    package var breakDuration: Duration?
    package var adDuration: Duration?

    package init(
        targetDuration: Duration? = nil,
        breakInterval: Duration? = nil,
        breakOffset: Duration? = nil,
        breakDuration: Duration? = nil,
        adDuration: Duration? = nil
    ) {
        self.targetDuration = targetDuration
        self.breakInterval = breakInterval
        self.breakOffset = breakOffset
        self.breakDuration = breakDuration
        self.adDuration = adDuration
    }
}
