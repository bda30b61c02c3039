/// What a loop did since it was last asked: the generator's own health, in nanoseconds.
package struct LoopStatistics: Equatable, Sendable {
    /// Timers fired.
    package var timersFired = 0
    /// The greatest distance between a timer's deadline and the moment it fired.
    package var maximumTimerDelay: Int64 = 0
    /// The sum of those distances.
    package var totalTimerDelay: Int64 = 0
    /// Time spent working, not waiting.
    package var busy: Int64 = 0
    /// Times the loop was woken by a descriptor or its timer.
    package var wakeUps = 0
}
