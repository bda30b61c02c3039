import Recording
import Thresholds

/// How long one process waited for a core over a run: the seconds in which that was too long, and the worst of them.
///
/// What nobody knows of a second is not in it.
package struct CoreWaitLog: Equatable, Codable, Sendable {
    package private(set) var seconds = 0
    package private(set) var secondsOver = 0
    /// Of the seconds, those in which viewers were due for a break or asked for its pod.
    package private(set) var breakSeconds = 0
    package private(set) var breakSecondsOver = 0
    package private(set) var ranMicroseconds: Int64 = 0
    package private(set) var waitedMicroseconds: Int64 = 0
    /// Of the thread that waited longest, in the worst second.
    package private(set) var threadWaitedMaximumMicroseconds: Int64 = 0

    package init() {}

    mutating func add(_ wait: CoreWait, seconds covered: Int, isOfBreak: Bool, limit: Int64) {
        let isOver = wait.threadWaitedMicroseconds > limit
        seconds &+= covered
        if isOver { secondsOver &+= covered }
        if isOfBreak { breakSeconds &+= covered }
        if isOfBreak, isOver { breakSecondsOver &+= covered }
        ranMicroseconds &+= max(0, wait.ranMicroseconds) &* Int64(covered)
        waitedMicroseconds &+= max(0, wait.waitedMicroseconds) &* Int64(covered)
        threadWaitedMaximumMicroseconds = max(threadWaitedMaximumMicroseconds, wait.threadWaitedMicroseconds)
    }

    func adding(_ next: CoreWaitLog?) -> CoreWaitLog {
        guard let next else { return self }
        var sum = self
        sum.seconds &+= next.seconds
        sum.secondsOver &+= next.secondsOver
        sum.breakSeconds &+= next.breakSeconds
        sum.breakSecondsOver &+= next.breakSecondsOver
        sum.ranMicroseconds &+= next.ranMicroseconds
        sum.waitedMicroseconds &+= next.waitedMicroseconds
        sum.threadWaitedMaximumMicroseconds = max(
            threadWaitedMaximumMicroseconds,
            next.threadWaitedMaximumMicroseconds
        )
        return sum
    }

    /// The waits of two processes over the same time.
    func addingInParallel(_ other: CoreWaitLog?) -> CoreWaitLog {
        guard let other else { return self }
        var sum = self
        sum.seconds = max(seconds, other.seconds)
        sum.secondsOver = max(secondsOver, other.secondsOver)
        sum.breakSeconds = max(breakSeconds, other.breakSeconds)
        sum.breakSecondsOver = max(breakSecondsOver, other.breakSecondsOver)
        sum.ranMicroseconds &+= other.ranMicroseconds
        sum.waitedMicroseconds &+= other.waitedMicroseconds
        sum.threadWaitedMaximumMicroseconds = max(
            threadWaitedMaximumMicroseconds,
            other.threadWaitedMaximumMicroseconds
        )
        return sum
    }

    /// Of the time that its threads wanted a core, the share from 0 to 1 that they waited for one; nil if they never did.
    package var waitShare: Double? {
        let wanted = Double(ranMicroseconds) + Double(waitedMicroseconds)
        return wanted > 0 ? Double(waitedMicroseconds) / wanted : nil
    }

    private enum CodingKeys: String, CodingKey {
        case seconds
        case secondsOver = "seconds_over"
        case breakSeconds = "break_seconds"
        case breakSecondsOver = "break_seconds_over"
        case ranMicroseconds = "ran_us"
        case waitedMicroseconds = "waited_us"
        case threadWaitedMaximumMicroseconds = "thread_waited_max_us"
    }
}

extension CoreWaitLog {
    /// Seconds that may be bad without the run being limited, in all and of those with breaks.
    package func tolerated(by budget: GeneratorBudget) -> (seconds: Int, breakSeconds: Int) {
        (
            budget.tolerated(budget.badSecondsShare, of: seconds),
            budget.tolerated(budget.badBreakSecondsShare ?? 1, of: breakSeconds)
        )
    }

    /// Whether the process waited for a core beyond the budget.
    ///
    /// A few starved seconds with breaks matter where something would be held against the target: what was in time in
    /// spite of them was in time.
    ///
    /// - Parameters:
    ///   - budget: What was allowed.
    ///   - blamesTarget: Whether the run would fail.
    /// - Returns: False within the budget, and where there is none.
    package func isBeyond(_ budget: GeneratorBudget, blamesTarget: Bool) -> Bool {
        guard budget.coreWaitMicroseconds != nil else { return false }
        let tolerated = tolerated(by: budget)
        return secondsOver > tolerated.seconds || blamesTarget && breakSecondsOver > tolerated.breakSeconds
    }

    /// That the machine was the limit, by how much and what to do about it.
    ///
    /// - Parameters:
    ///   - process: Whose threads waited.
    ///   - advice: What helps.
    ///   - budget: What was allowed.
    ///   - blamesTarget: Whether the run would fail.
    /// - Returns: Nil within the budget.
    func reason(process: String, advice: String, budget: GeneratorBudget, blamesTarget: Bool) -> String? {
        guard let limit = budget.coreWaitMicroseconds, isBeyond(budget, blamesTarget: blamesTarget) else { return nil }
        let tolerated = tolerated(by: budget)
        let worst = MetricText.time(microseconds: Double(threadWaitedMaximumMicroseconds))
        let all = MetricText.time(microseconds: Double(waitedMicroseconds))
        return "the machine was the limit: \(process) waited for a core for more than"
            + " \(MetricText.time(microseconds: Double(limit))) of a second in \(secondsOver) of \(seconds) s"
            + " (tolerated \(tolerated.seconds)), in \(breakSecondsOver) of \(breakSeconds) s with breaks"
            + " (tolerated \(tolerated.breakSeconds)); worst \(worst), all threads \(all) in all; \(advice)"
    }
}
