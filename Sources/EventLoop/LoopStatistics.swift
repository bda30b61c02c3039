/// What a loop did since it was last asked: the generator's own health, in nanoseconds.
package struct LoopStatistics: Equatable, Sendable {
    /// Timers fired.
    package var timersFired = 0
    /// The greatest distance between a timer's deadline and the moment it fired.
    package var maximumTimerDelay: Int64 = 0
    /// The sum of those distances.
    package var totalTimerDelay: Int64 = 0
    /// Time spent working: neither waiting nor spinning until a timer is due.
    package var busy: Int64 = 0
    /// Times a wait or a spin of the loop ended, whatever ended it.
    package var wakeUps = 0
}
