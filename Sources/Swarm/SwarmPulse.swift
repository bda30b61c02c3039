import Audit
package import HLS
package import Results
import Rules
import Transport
import Values
package import Viewer

/// State of a run, or of one of its loops.
package struct SwarmPulse: Sendable {
    package var counts = IntervalCounts()
    /// In the order of `ViewerMachine.Phase.allCases`.
    package var viewersByPhase = [Int](repeating: 0, count: ViewerMachine.Phase.allCases.count)
    package var requestsInFlight = 0
    /// Since the last pulse.
    package var maximumTimerDelayNanoseconds: Int64 = 0
    package var busiestLoopNanoseconds: Int64 = 0
    /// Since the start of the run.
    package var lateStarts = 0
    package var droppedStarts = 0
    /// The earliest break that a viewer waits for.
    package var nextBreakStart: WallTime?
    package var harnessFailure: String?

    package init() {}

    mutating func add(_ part: SwarmPulse) {
        counts.add(part.counts)
        for index in viewersByPhase.indices {
            viewersByPhase[index] += part.viewersByPhase[index]
        }
        requestsInFlight += part.requestsInFlight
        maximumTimerDelayNanoseconds = max(maximumTimerDelayNanoseconds, part.maximumTimerDelayNanoseconds)
        busiestLoopNanoseconds = max(busiestLoopNanoseconds, part.busiestLoopNanoseconds)
        lateStarts += part.lateStarts
        droppedStarts += part.droppedStarts
        harnessFailure = harnessFailure ?? part.harnessFailure
        nextBreakStart = [nextBreakStart, part.nextBreakStart].compactMap(\.self).min()
    }

    /// No break goes on or is near, so that work of a millisecond delays no request of a break; true also where none is known.
    ///
    /// `podRequests` counts since the last pulse.
    package func isQuiet(at now: WallTime, podRequests: UInt64) -> Bool {
        let isNear = nextBreakStart.map { $0 < now + .seconds(5) } ?? false
        return !isNear && podRequests == 0 && viewers(.inBreak) == 0
    }

    /// Number of viewers in a phase.
    package func viewers(_ phase: ViewerMachine.Phase) -> Int { viewersByPhase[Int(phase.rawValue)] }
}

extension Crowd {
    func totals() -> LoopInterval {
        bookBodies()
        return recorder.whole()
    }

    /// Since the last interval; walks the viewers once.
    func takeInterval() -> (pulse: SwarmPulse, interval: LoopInterval) {
        bookBodies()
        if !isStopping {
            countUnlisted(at: clock.now)
            shutOut.tell(viewers, at: clock.now) { _ = auditor.context.slot(of: $0, from: .schedule) }
        }
        var pulse = state()
        let interval = recorder.takeInterval()
        pulse.counts = interval.counts
        return (pulse, interval)
    }

    private func bookBodies() {
        recorder.count(.bodiesParsed, by: UInt64(auditor.library.parsed - bookedBodies.parsed))
        recorder.count(.bodiesReused, by: UInt64(auditor.library.recognised - bookedBodies.recognised))
        bookedBodies = (auditor.library.parsed, auditor.library.recognised)
    }

    /// Since the last pulse; walks the viewers once.
    func pulse() -> SwarmPulse {
        var pulse = state()
        pulse.counts = recorder.pulse()
        return pulse
    }

    private func state() -> SwarmPulse {
        var pulse = SwarmPulse()
        // A copy of each slot would retain and release all that it refers to.
        for index in viewers.indices {
            pulse.viewersByPhase[Int(viewers[index].machine.phase.rawValue)] += 1
            if let start = viewers[index].machine.nextBreakStart, start < (pulse.nextBreakStart ?? .distantFuture) {
                pulse.nextBreakStart = start
            }
        }
        let statistics = clock.takeStatistics()
        pulse.requestsInFlight = transport.inFlight
        pulse.maximumTimerDelayNanoseconds = statistics.maximumTimerDelay
        pulse.busiestLoopNanoseconds = statistics.busy
        pulse.lateStarts = lateStarts
        pulse.droppedStarts = droppedStarts
        pulse.harnessFailure = harnessFailure
        return pulse
    }
}
