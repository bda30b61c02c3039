import AdServing
import Synchronization
import Values

/// Parses calls of every kind of source, passes them to the scheduler of the present run, and reports the outcome.
///
/// Safe to use from any thread.
final class CallReceiver: Sendable {
    struct Run: Sendable {
        let scheduler: CallScheduler
        let post: @Sendable (ScheduledBreak) async throws(CallRefusal) -> Void
        let now: @Sendable () -> WallTime
        let tell: @Sendable (String) -> Void

        func take(_ call: BreakCall) async throws(CallRefusal) -> ScheduledBreak {
            let scheduled = try scheduler.take(call, at: now())
            do {
                try await post(scheduled)
                return scheduled
            } catch {
                scheduler.withdraw()
                throw error
            }
        }
    }

    /// A file can hold any number of invalid lines.
    private static let mostRefusalsTold = 20

    private let run = Mutex<Run?>(nil)
    private let refusalsTold = Mutex(0)

    /// Sets the run that calls are for; nil accepts no more.
    func serve(_ next: Run?) { run.withLock { $0 = next } }

    /// Handles a line, or the body of a request; nil for text that is no call.
    ///
    /// `way` names the source in messages; `isBlankOne` makes an empty text a call.
    func take(_ text: [UInt8], by way: String, isBlankOne: Bool) async -> Result<ScheduledBreak, CallRefusal>? {
        guard let run = run.withLock({ $0 }) else { return .failure(.closed("No break is taken now.")) }
        let call: BreakCall
        do {
            guard let read = try BreakCall.reading(text) ?? (isBlankOne ? BreakCall() : nil) else { return nil }
            call = read
        } catch {
            run.scheduler.refuse()
            tell(error, by: way, run)
            return .failure(error)
        }
        do {
            let scheduled = try await run.take(call)
            run.tell(
                "Break \(scheduled.dateRangeID ?? "") of \(scheduled.duration.text) is called for by \(way) and begins at "
                    + "\(scheduled.start.iso8601)."
            )
            return .success(scheduled)
        } catch {
            tell(error, by: way, run)
            return .failure(error)
        }
    }

    func refuseOverlong(by way: String) {
        guard let run = run.withLock({ $0 }) else { return }
        run.scheduler.refuse()
        tell(.malformed("is longer than \(BreakCall.longestText) bytes"), by: way, run)
    }

    private func tell(_ refusal: CallRefusal, by way: String, _ run: Run) {
        let told = refusalsTold.withLock { told in
            told += 1
            return told
        }
        guard told <= Self.mostRefusalsTold else { return }
        let last = told == Self.mostRefusalsTold ? " Further ones are only counted." : ""
        run.tell("A call by \(way) is refused: \(refusal.text).\(last)")
    }
}
