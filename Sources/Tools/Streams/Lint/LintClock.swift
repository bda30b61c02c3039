import Transport
import Values

/// Time of a lint.
protocol LintClock: Sendable {
    func now() -> Instant

    /// Makes each load at its deadline, up to `end`; a cancelled task ends it early.
    func make(_ loads: [TimedLoad], until end: Instant) async
}

/// Load to make at a deadline.
struct TimedLoad: Sendable {
    let deadline: Instant
    /// Returns the load after this one; nil for the last.
    let load: @Sendable () async -> TimedLoad?
}

/// Clock of this machine, on which loads of one deadline go side by side.
struct MachineLintClock: LintClock {
    func now() -> Instant { MonotonicClock.now() }

    func make(_ loads: [TimedLoad], until end: Instant) async {
        await withTaskGroup(of: Void.self) { group in
            for load in loads {
                group.addTask { await make(load, until: end) }
            }
        }
    }

    private func make(_ first: TimedLoad, until end: Instant) async {
        var next = Optional(first)
        while let load = next, load.deadline < end {
            let wait = max(0, load.deadline.nanoseconds(since: now()))
            do {
                try await Task.sleep(for: .nanoseconds(wait))
            } catch {
                return
            }
            next = await load.load()
        }
    }
}
