import Recording
import Rules

/// Time that one process waited for a core: the seconds above the limit, and the worst.
///
/// Seconds without data are not counted.
package struct CoreWaitLog: Equatable, Codable, Sendable {
    package private(set) var seconds = 0
    package private(set) var secondsOver = 0
    /// Seconds in which viewers were due for a break or requested its pod.
    package private(set) var breakSeconds = 0
    package private(set) var breakSecondsOver = 0
    package private(set) var ranMicroseconds: Int64 = 0
    package private(set) var waitedMicroseconds: Int64 = 0
    /// Longest wait of a thread in one second.
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

    /// Sum with later waits, or with those of another process over the same time.
    func adding(_ other: CoreWaitLog?, inParallel: Bool = false) -> CoreWaitLog {
        guard let other else { return self }
        var sum = self
        for time in [\.seconds, \.secondsOver, \.breakSeconds, \.breakSecondsOver] as [WritableKeyPath<Self, Int>] {
            let (mine, theirs) = (self[keyPath: time], other[keyPath: time])
            sum[keyPath: time] = inParallel ? max(mine, theirs) : mine &+ theirs
        }
        sum.ranMicroseconds &+= other.ranMicroseconds
        sum.waitedMicroseconds &+= other.waitedMicroseconds
        sum.threadWaitedMaximumMicroseconds = max(
            threadWaitedMaximumMicroseconds,
            other.threadWaitedMaximumMicroseconds
        )
        return sum
    }

    private enum CodingKeys: String, CodingKey {
        case seconds, secondsOver, breakSecondsOver
        case ranMicroseconds, waitedMicroseconds, threadWaitedMaximumMicroseconds
        case breakSeconds = "break_seconds"
    }
}

extension CoreWaitLog {
    package func tolerated(by budget: GeneratorBudget) -> (seconds: Int, breakSeconds: Int) {
        (
            budget.tolerated(budget.badSecondsShare, of: seconds),
            budget.tolerated(budget.badBreakSecondsShare ?? 1, of: breakSeconds)
        )
    }

    /// Whether the process waited for a core beyond the budget; false without a limit.
    ///
    /// A few bad seconds with breaks matter only if the run would fail otherwise (`blamesTarget`): whatever was on time in
    /// spite of them was on time.
    package func isBeyond(_ budget: GeneratorBudget, blamesTarget: Bool) -> Bool {
        guard budget.coreWaitMicroseconds != nil else { return false }
        let tolerated = tolerated(by: budget)
        return secondsOver > tolerated.seconds || blamesTarget && breakSecondsOver > tolerated.breakSeconds
    }

    /// Reason why the machine was the limit, with the amount and a remedy; nil within the budget.
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
