/// Only reads the place, so that any number of followers is possible.
package final class FollowedRun {
    package enum State: Equatable, Sendable {
        case awaited
        case running
        case ended
        /// Silent for too long, or its journal is unreadable.
        case lost(String)
    }

    private let silence: Duration
    private let journals: [StreamedJournal]
    private var unreachableSince: ContinuousClock.Instant?
    /// After this many consecutive unreadable journals the place is at fault.
    private static let failuresOfPlace = 2
    /// Multiple of the silence after which a place that does not answer makes its shards lost.
    private static let patience = 10

    /// `silence` counts only time in which the place answers.
    package init(count: Int, silence: Duration, now: ContinuousClock.Instant = .now) {
        self.silence = silence
        journals = (0..<count).map { _ in StreamedJournal(now: now) }
    }

    /// `observe` gets the shard's index and state at that time; an error of one shard does not stop the others.
    package func pull(
        from place: any RendezvousPlace,
        now: @Sendable () -> ContinuousClock.Instant = { .now },
        observe: (_ shard: Int, RunInterval, RunCollector) -> Void = { _, _, _ in }
    ) async throws(RendezvousError) {
        var trouble: RendezvousError?
        var (hasAnswer, failures) = (false, 0)
        for (index, shard) in journals.enumerated() where !shard.hasEnded && shard.stop == nil {
            do throws(RendezvousError) {
                try await place.read(JournalStream.group(ofShard: index), after: shard.lastName) { pieces in
                    shard.take(pieces) { observe(index, $0, $1) }
                    shard.heardAt = max(shard.heardAt, now())
                    return shard.stop == nil
                }
                (hasAnswer, failures) = (true, 0)
            } catch {
                trouble = trouble ?? error
                failures += 1
                if failures == Self.failuresOfPlace { break }
            }
        }
        if let trouble, !hasAnswer || failures == Self.failuresOfPlace {
            unreachableSince = unreachableSince ?? now()
            throw trouble
        }
        // Shards could not report while the place was silent.
        if unreachableSince != nil { for shard in journals { shard.heardAt = max(shard.heardAt, now()) } }
        unreachableSince = nil
        if let trouble { throw trouble }
    }

    package func states(now: ContinuousClock.Instant = .now) -> [State] {
        journals.map { shard in
            if shard.hasEnded { return .ended }
            if let stop = shard.stop { return .lost(stop) }
            let heard = shard.collector == nil ? State.awaited : .running
            if let unreachableSince {
                let limit = silence * Self.patience
                guard now - unreachableSince >= limit else { return heard }
                return .lost("the rendezvous has not answered for \(limit.components.seconds) s")
            }
            guard now - shard.heardAt >= silence else { return heard }
            return .lost("it has said nothing for \(silence.components.seconds) s")
        }
    }

    package var collectors: [(index: Int, collector: RunCollector)] {
        journals.enumerated().compactMap { index, shard in shard.collector.map { (index, $0) } }
    }

    package func latest(_ states: [State]) -> [RunInterval] {
        zip(journals, states).compactMap { shard, state in
            if case .lost = state { nil } else { shard.latest }
        }
    }

    package var sources: [ShardJournals.Source] { journals.compactMap(\.recovered).map(ShardJournals.Source.init) }
}

/// Received journal of a shard, folded as far as it has arrived.
private final class StreamedJournal {
    var heardAt: ContinuousClock.Instant
    private(set) var lastName: String?
    private(set) var latest: RunInterval?
    /// Reason why a shard cannot be followed further; earlier records count.
    private(set) var stop: String?
    private var lines = JournalLines()
    private var header: JournalHeader?
    private var run: RecoveredRun?

    init(now: ContinuousClock.Instant) { heardAt = now }

    var collector: RunCollector? { run?.checkpoint }

    var hasEnded: Bool { run?.checkpoint.ending != nil }

    var recovered: RecoveredRun? {
        run?.end(lines)
        return run
    }

    /// Pieces must come in order.
    func take(_ pieces: [RendezvousListing.Entry], observe: (RunInterval, RunCollector) -> Void) {
        guard stop == nil else { return }
        for piece in pieces {
            lines.append(piece.content)
            lastName = piece.name
        }
        guard beginsWell() else { return }
        while stop == nil, let record = lines.nextRecord() {
            do throws(JournalReadingError) {
                try take(record, observe)
            } catch {
                stop = "\(error)"
                lines.refuse(CollectionOfOne(record), because: "\(error)")
            }
        }
        if case .damaged(let what) = lines.ending { stop = stop ?? "its journal is damaged: \(what)" }
    }

    /// False until the header has come, and for a journal of another version, whose records may have another form.
    private func beginsWell() -> Bool {
        guard header == nil else { return true }
        do throws(JournalReadingError) {
            header = try RecoveredRun.header(&lines)
        } catch {
            if !error.isOfBriefRun { stop = "\(error)" }
        }
        return header != nil
    }

    private func take(
        _ record: JournalRecord,
        _ observe: (RunInterval, RunCollector) -> Void
    ) throws(JournalReadingError) {
        guard run != nil else {
            run = try header.map { header throws(JournalReadingError) in try RecoveredRun(header, record) }
            return
        }
        latest = try run?.fold(record) ?? latest
        if record.kind == .interval, let latest, let run { observe(latest, run.checkpoint) }
    }
}
