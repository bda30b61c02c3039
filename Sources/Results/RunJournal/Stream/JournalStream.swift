package import Recording

/// Streams a shard's journal to its followers, piece by piece, through the meeting place.
///
/// The joined pieces are a journal, so that followers, the merge, and the recovery of a shard lost with its disk share one
/// format. While the place does not answer, intervals wait; a checkpoint replaces them if they become too many. Never fails a
/// run and never makes one wait.
package final class JournalStream: IntervalSink {
    package struct Timing: Sendable {
        /// Between two pieces.
        package var period = Duration.seconds(1)
        /// Before the next attempt, if the place did not answer.
        package var pause = Duration.seconds(1)
        /// For the last piece, after the run.
        package var patience = Duration.seconds(30)

        /// One second between pieces for runs up to an hour, up to ten for longer ones, to limit the number of pieces.
        package static func forRun(lasting duration: Duration) -> Timing {
            Timing(period: min(max(duration / 3_600, .seconds(1)), .seconds(10)))
        }
    }

    private let timing: Timing
    private let backlog: JournalBacklog
    private let wake: AsyncStream<Void>.Continuation
    /// Returns whether the end was sent.
    private let sending: Task<Bool, Never>

    package init(to place: any RendezvousPlace, shard: Int, settings: CollectorSettings, timing: Timing = Timing()) {
        let backlog = JournalBacklog(RunCollector(settings))
        let (signals, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let group = JournalPieces.group(ofShard: shard)
        sending = Task {
            do {
                var pieces = try JournalPieces(settings: settings)
                for await _ in signals {
                    let isLast = try pieces.append(backlog.take())
                    var arrived = true
                    for piece in pieces.take() {
                        arrived = await Self.put(piece, in: group, of: place, timing.pause, backlog) && arrived
                    }
                    if isLast || !arrived { return isLast && arrived }
                    await Self.rest(timing.period, backlog)
                }
            } catch {
                backlog.fail("what it does cannot be written as JSON: \(error)")
            }
            return false
        }
        self.timing = timing
        self.backlog = backlog
        self.wake = wake
        wake.yield()
    }

    /// Puts a piece, retrying while the place does not answer; returns false if cancelled before.
    ///
    /// A taken name is from a put whose answer was lost.
    private static func put(
        _ piece: RendezvousListing.Entry,
        in group: String,
        of place: any RendezvousPlace,
        _ pause: Duration,
        _ backlog: JournalBacklog
    ) async -> Bool {
        while !Task.isCancelled {
            do {
                _ = try await place.put(piece.content, in: group, as: piece.name)
                backlog.note(trouble: nil)
                return true
            } catch {
                backlog.note(trouble: "\(error)")
                try? await Task.sleep(for: pause)
            }
        }
        return false
    }

    /// Waits until the next piece is due; returns early at the end of the run.
    private static func rest(_ period: Duration, _ backlog: JournalBacklog) async {
        let clock = ContinuousClock()
        let end = clock.now + period
        while !backlog.isEnding, !Task.isCancelled, clock.now < end {
            try? await clock.sleep(for: min(period, .milliseconds(50)))
        }
    }

    package func telling(_ interval: RunInterval, of collector: RunCollector) -> @Sendable (_ isKept: Bool) -> Void {
        backlog.add(interval, of: collector)
        wake.yield()
        return { _ in }
    }

    package func rotate() {}

    /// Sends the ending and waits until it has arrived or the patience is over.
    package func finish(_ checkpoint: RunCollector) async {
        backlog.end(checkpoint)
        wake.yield()
        let giveUp = Task { [sending, timing] in
            try await Task.sleep(for: timing.patience)
            sending.cancel()
        }
        let isTold = await sending.value
        giveUp.cancel()
        if !isTold {
            backlog.fail("the rendezvous does not answer: \(backlog.trouble ?? "\(timing.patience) were not enough")")
        }
    }

    package var problems: [String] {
        backlog.failure.map { ["Who follows this shard misses its end: \($0). Its own journal has all."] } ?? []
    }
}

extension JournalPieces {
    /// Adds a batch; returns whether it is the last.
    ///
    /// - Throws: An encoding error.
    fileprivate mutating func append(_ batch: JournalBacklog.Batch) throws -> Bool {
        if let checkpoint = batch.checkpoint { try append(checkpoint) }
        for interval in batch.intervals {
            append(JournalRecord(kind: .interval, payload: try JournalCoding.payload(of: interval)))
        }
        if let end = batch.end { try append(end) }
        return batch.end != nil
    }

    private mutating func append(_ checkpoint: RunCollector) throws {
        append(JournalRecord(kind: .checkpoint, payload: try JournalCoding.payload(of: checkpoint)))
    }
}
