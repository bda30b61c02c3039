package import Foundation
package import Profile
import Report
import Results
package import Swarm
import Synchronization
import Transport
import Values
import Viewer

/// The first shard accepts calls; all learn of breaks at the meeting point.
package final class CalledRun: Sendable {
    private let plan: LoadPlan
    /// Nil without shards, or with only one.
    private let shard: ShardEnrolment?
    private let sources: CallSources?
    /// Breaks of `--breaks-at`, from the start of the run.
    private let planned: [Duration]
    private let scheduler = Mutex<CallScheduler?>(nil)
    private let following = Mutex<(exchange: CallExchange, task: Task<Void, Never>)?>(nil)
    private let heard = Mutex<CallExchange.Tally?>(nil)

    /// Virtual time has calls from `clock` only; throws `CommandFailure` for a source that cannot be opened.
    package init(_ plan: LoadPlan, profileFolder: URL, shard: ShardEnrolment?, clock: RunClock = .machine) async throws
    {
        self.plan = plan
        planned = clock.calls ?? []
        self.shard = shard.flatMap { $0.mark.count > 1 ? $0 : nil }
        guard let trigger = plan.breaks.source.triggerPlan, clock.calls == nil,
            shard.map({ $0.mark.index == 0 }) ?? true
        else {
            sources = nil
            return
        }
        let file = trigger.file.map { URL(fileURLWithPath: $0, relativeTo: profileFolder).path }
        sources = try await CallSources(trigger, file: file)
    }

    package func begin(_ swarm: SwarmRun, tell: @escaping @Sendable (String) -> Void) {
        guard let trigger = plan.breaks.source.triggerPlan else { return }
        let timebase = swarm.timebase
        let now: @Sendable () -> WallTime = { timebase.wall(at: swarm.now) }
        let run = timebase.wallStart..<timebase.wallStart + plan.duration
        guard let shard else {
            let scheduler = CallScheduler(plan.breaks, trigger, run: run) { swarm.call($0) }
            self.scheduler.withLock { $0 = scheduler }
            sources?.begin(scheduler, now: now, tell: tell)
            for start in planned {
                // As early before the break as viewers need.
                let calledAt = max(start - trigger.lead, .zero)
                swarm.perform(at: timebase.start.later(by: calledAt)) {
                    do throws(CallRefusal) {
                        _ = try scheduler.take(BreakCall(lead: start - calledAt), at: timebase.wallStart + calledAt)
                    } catch {
                        tell("--breaks-at \(start.text): \(error.text)")
                    }
                }
            }
            return
        }
        let count = shard.mark.count
        let exchange = CallExchange(
            in: shard.place,
            plan.breaks,
            shards: count,
            run: run,
            now: now,
            announce: { swarm.call($0) },
            tell: tell
        )
        following.withLock { $0 = (exchange, Task { await exchange.follow() }) }
        guard let sources else { return tell("Breaks are called for at the first shard.") }
        // This shard learns of its breaks at the meeting point, as the others do.
        let scheduler = CallScheduler(plan.breaks, trigger, shards: count, run: run) { _ in }
        self.scheduler.withLock { $0 = scheduler }
        sources.begin(
            scheduler,
            post: { scheduled throws(CallRefusal) in try await exchange.post(scheduled) },
            now: now,
            tell: tell
        )
    }

    package func refuse() { sources?.end() }

    /// The meeting point is not read afterwards.
    package func end() async {
        await sources?.close()
        guard let (exchange, task) = following.withLock({ $0 }) else { return }
        task.cancel()
        await task.value
        let tally = await exchange.end()
        heard.withLock { $0 = tally }
    }

    package func closed<Result>(after body: () async throws -> Result) async throws -> Result {
        do {
            let result = try await body()
            await close()
            return result
        } catch {
            await close()
            throw error
        }
    }

    private func close() async {
        following.withLock { $0?.task.cancel() }
        await sources?.close()
    }

    package var defect: String? {
        guard let heard = heard.withLock({ $0 }) else { return nil }
        if heard.late > 0 {
            let calls = TextLayout.counted(heard.late, "call")
            return "\(calls) for a break heard too late for viewers to ask in time, by up to \(heard.latest.text)"
        }
        return heard.trouble.map { "it is not known whether there were calls for breaks that were not heard: \($0)" }
    }

    package var notes: [String] {
        var notes: [String] = []
        let heard = heard.withLock { $0 }
        if let tally = scheduler.withLock({ $0?.tally }) {
            // A break whose posting had an unknown outcome may have been heard.
            let taken = heard?.heard ?? tally.taken
            let refused = tally.refused == 0 ? "" : "; \(TextLayout.counted(tally.refused, "call")) refused"
            notes.append("\(TextLayout.counted(taken, "break")) called for while the run went\(refused).")
        }
        if let heard, sources == nil {
            let breaks = TextLayout.counted(heard.heard, "break")
            notes.append("\(breaks) called for at the first shard while the run went.")
        }
        return notes
    }
}
