import Audience
import BreakCalls
import Console
import EventLoop
package import Foundation
package import LoadProfile
import Report
package import Swarm
import Synchronization
import Time

/// What takes calls for breaks of one run; nothing where its plan takes none.
package final class CalledRun: Sendable {
    private let plan: LoadPlan
    private let ways: CallWays?
    private let desk = Mutex<CallDesk?>(nil)

    /// Opens the ways, before anything is sent.
    ///
    /// - Parameters:
    ///   - plan: Of the run.
    ///   - profileFolder: What its paths are relative to.
    /// - Throws: `CommandFailure` where one cannot be opened.
    package init(_ plan: LoadPlan, profileFolder: URL) async throws {
        self.plan = plan
        guard let trigger = plan.breaks.source.triggerPlan else {
            ways = nil
            return
        }
        do {
            let file = trigger.file.map { URL(fileURLWithPath: $0, relativeTo: profileFolder).path }
            ways = try await CallWays(trigger, file: file)
        } catch {
            throw CommandFailure(.badInput, "breaks.source.trigger: \(error)")
        }
    }

    /// Takes calls for a swarm from now on, and says so.
    package func begin(_ swarm: SwarmRun, tell: @escaping @Sendable (String) -> Void) {
        guard let ways, let trigger = plan.breaks.source.triggerPlan else { return }
        let timebase = swarm.timebase
        let run = timebase.wallStart..<timebase.wallStart + plan.duration
        let desk = CallDesk(plan.breaks, trigger, run: run) { swarm.call($0) }
        self.desk.withLock { $0 = desk }
        ways.begin(desk, now: { timebase.wall(at: MonotonicClock.now()) }, tell: tell)
    }

    /// Takes no more.
    package func end() { ways?.end() }

    /// Closes the ways when `body` has returned or thrown.
    package func closed<Result>(after body: () async throws -> Result) async throws -> Result {
        do {
            let result = try await body()
            await ways?.close()
            return result
        } catch {
            await ways?.close()
            throw error
        }
    }

    /// What came of all calls, for the result.
    package var notes: [String] {
        guard let tally = desk.withLock({ $0?.tally }) else { return [] }
        let refused = tally.refused == 0 ? "" : "; \(TextLayout.counted(tally.refused, "call")) refused"
        return ["\(TextLayout.counted(tally.taken, "break")) called for while the run went\(refused)."]
    }
}
