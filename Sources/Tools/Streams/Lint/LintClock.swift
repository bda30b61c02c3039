import Transport
import Values

protocol LintClock: Sendable {
    func now() -> Instant

    /// A cancelled task ends the loads early.
    func make(_ loads: [TimedLoad], until end: Instant) async
}

struct TimedLoad: Sendable {
    let deadline: Instant
    /// Returns the next load; nil for the last.
    let load: @Sendable () async -> TimedLoad?
}

/// Loads of one deadline go side by side.
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
