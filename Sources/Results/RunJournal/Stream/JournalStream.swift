import Foundation
import Synchronization
import Values

/// Streams a journal in pieces through the meeting place; a checkpoint replaces intervals that wait too long.
package final class JournalStream: IntervalSink {
    package struct Timing: Sendable {
        package var period = Duration.seconds(1)
        /// Before the next attempt, if the place did not answer.
        package var pause = Duration.seconds(1)
        /// For the last piece, after the run.
        package var patience = Duration.seconds(30)

        /// Limits the number of pieces of long runs.
        package static func forRun(lasting duration: Duration) -> Timing {
            Timing(period: min(max(duration / 3_600, .seconds(1)), .seconds(10)))
        }
    }

    private struct State {
        /// Before the intervals; nil if already sent.
        var checkpoint: RunCollector?
        var intervals: [RunInterval] = []
        /// Nothing follows the end.
        var end: RunCollector?
        /// Reason why nothing more is accepted.
        var failure: String?
        /// Reason why the place did not take the last piece.
        var trouble: String?
    }

    private static let capacity = 120

    private let timing: Timing
    private let state: Mutex<State>
    /// Whether the end was sent.
    private let sending = Mutex<Task<Bool, Never>?>(nil)

    package init(to place: any RendezvousPlace, shard: Int, settings: CollectorSettings, timing: Timing = Timing()) {
        self.timing = timing
        state = Mutex(State(checkpoint: RunCollector(settings)))
        sending.withLock { $0 = Task { await send(to: place, in: Self.group(ofShard: shard)) } }
    }

    package func telling(_ interval: RunInterval, of collector: RunCollector) -> @Sendable (_ isKept: Bool) -> Void {
        state.withLock { state in
            guard state.failure == nil else { return }
            state.intervals.append(interval)
            if state.intervals.count > Self.capacity { (state.checkpoint, state.intervals) = (collector, []) }
        }
        return { _ in }
    }

    /// Sends the ending and waits until it has arrived or the patience is over.
    package func finish(_ checkpoint: RunCollector) async {
        guard let sending = sending.withLock(\.self) else { return }
        state.withLock { $0.end = checkpoint }
        let giveUp = Task { [timing] in
            try await Task.sleep(for: timing.patience)
            sending.cancel()
        }
        let isTold = await sending.value
        giveUp.cancel()
        if !isTold {
            let trouble = state.withLock(\.trouble) ?? "\(timing.patience) were not enough"
            fail("the rendezvous does not answer: \(trouble)")
        }
    }

    package var problem: String? {
        state.withLock(\.failure).map { "Followers of this shard miss its end: \($0). Its own journal has all." }
    }

    private func fail(_ reason: String) {
        state.withLock { $0 = State(failure: $0.failure ?? reason, trouble: $0.trouble) }
    }

    package static func group(ofShard index: Int) -> String { "journal-\(index)" }

    private func send(to place: any RendezvousPlace, in group: String) async -> Bool {
        do {
            var records = [try JournalRecord(.header, JournalHeader())]
            var (checksum, number): (UInt32, Int) = (0, 0)
            while true {
                let news = state.withLock { state in
                    defer { state = State(failure: state.failure, trouble: state.trouble) }
                    return state
                }
                if let checkpoint = news.checkpoint { records.append(try JournalRecord(.checkpoint, checkpoint)) }
                records += try news.intervals.map { try JournalRecord(.interval, $0) }
                if let end = news.end { records.append(try JournalRecord(.checkpoint, end)) }
                var rest = records.flatMap { $0.line(continuing: &checksum) }[...]
                records = []
                while !rest.isEmpty {
                    let piece = Data(rest.prefix(RendezvousListing.longestContent))
                    // Zero-padded, so that names sort as numbers.
                    let name = String(number).leftPadded(to: 10)
                    // Without one piece later ones cannot be read.
                    guard await put(piece, in: group, as: name, of: place) else { return false }
                    rest = rest.dropFirst(piece.count)
                    number += 1
                }
                if news.end != nil || Task.isCancelled { return news.end != nil }
                await pause()
            }
        } catch {
            fail("its records cannot be written as JSON: \(error)")
            return false
        }
    }

    /// False if cancelled; a taken name is from a put whose answer was lost.
    private func put(_ piece: Data, in group: String, as name: String, of place: any RendezvousPlace) async -> Bool {
        while !Task.isCancelled {
            do {
                _ = try await place.put(piece, in: group, as: name)
                state.withLock { $0.trouble = nil }
                return true
            } catch {
                state.withLock { $0.trouble = "\(error)" }
                try? await Task.sleep(for: timing.pause)
            }
        }
        return false
    }

    /// Returns early at the end of the run.
    private func pause() async {
        let clock = ContinuousClock()
        let end = clock.now + timing.period
        while state.withLock({ $0.end == nil }), !Task.isCancelled, clock.now < end {
            try? await clock.sleep(for: min(timing.period, .milliseconds(50)))
        }
    }
}
