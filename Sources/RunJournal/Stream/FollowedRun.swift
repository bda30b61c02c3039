package import Foundation
package import Recording
package import Rendezvous

/// All shards of a run, as what they tell comes in.
///
/// It reads the place and puts nothing there, so that any number may follow a run, from wherever the place is seen.
package final class FollowedRun {
    /// How a shard fares.
    package enum State: Equatable, Sendable {
        /// Nothing was heard of it yet.
        case awaited
        case running
        case ended
        /// It has said nothing for too long, or nothing that can be understood.
        case lost(String)
    }

    private let folder: URL
    private let silence: Duration
    private var journals: [StreamedShard] = []
    /// Since when the place does not answer; nil while it does.
    private var unreachableSince: ContinuousClock.Instant?
    /// So many journals that cannot be read, one after the other, are the place's fault, and the others are not tried.
    private static let failuresOfPlace = 2
    /// How many times the silence a place may be gone for, before nobody waits for what was told there.
    private static let patience = 10

    /// A shard, and when it was last heard.
    private final class StreamedShard {
        var journal: StreamedJournal
        var heardAt: ContinuousClock.Instant

        init(file: URL, now: ContinuousClock.Instant) throws(JournalReadingError) {
            journal = try StreamedJournal(file: file)
            heardAt = now
        }
    }

    /// - Parameters:
    ///   - count: How many shards there are.
    ///   - folder: Where their journals are kept.
    ///   - silence: How long a shard may say nothing before it is taken for lost; only time in which the place answered.
    ///   - now: The time from which shards have something to say.
    /// - Throws: `JournalReadingError` where nothing can be kept.
    package init(
        count: Int,
        folder: URL,
        silence: Duration,
        now: ContinuousClock.Instant = .now
    ) throws(JournalReadingError) {
        self.folder = folder
        self.silence = silence
        for index in 0..<count {
            journals.append(try StreamedShard(file: folder.appending(path: "shard-\(index).journal"), now: now))
        }
    }

    /// Reads what the shards have told since the last call.
    ///
    /// - Parameters:
    ///   - place: Where they meet.
    ///   - now: The time.
    ///   - observe: Handed each interval that a shard told by itself, with the shard's index and the shard as it is then.
    /// - Throws: `RendezvousError` where the place does not answer, or one shard's journal cannot be read; what the others
    ///   told is taken then.
    package func pull(
        from place: any RendezvousPlace,
        now: @Sendable () -> ContinuousClock.Instant = { .now },
        observe: (_ shard: Int, RunInterval, RunCollector) -> Void = { _, _, _ in }
    ) async throws(RendezvousError) {
        var trouble: RendezvousError?
        var (hasAnswer, failures) = (false, 0)
        for (index, shard) in journals.enumerated() where !shard.journal.hasEnded && shard.journal.stop == nil {
            do throws(RendezvousError) {
                try await place.read(JournalPieces.group(ofShard: index), after: shard.journal.lastName) { pieces in
                    shard.journal.take(pieces) { observe(index, $0, $1) }
                    shard.heardAt = max(shard.heardAt, now())
                    return shard.journal.stop == nil
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
        // While the place did not answer, no shard could be heard.
        if unreachableSince != nil { for shard in journals { shard.heardAt = max(shard.heardAt, now()) } }
        unreachableSince = nil
        if let trouble { throw trouble }
    }

    /// How each shard fares, in the order of their indices.
    ///
    /// - Parameter now: The time.
    /// - Returns: One for each.
    package func states(now: ContinuousClock.Instant = .now) -> [State] {
        journals.map { shard in
            if shard.journal.hasEnded { return .ended }
            if let stop = shard.journal.stop { return .lost("\(stop)") }
            let heard = shard.journal.collector == nil ? State.awaited : .running
            if let unreachableSince {
                let limit = silence * Self.patience
                guard now - unreachableSince >= limit else { return heard }
                return .lost("the rendezvous has not answered for \(limit.components.seconds) s")
            }
            guard now - shard.heardAt >= silence else { return heard }
            return .lost("it has said nothing for \(silence.components.seconds) s")
        }
    }

    /// Those that said something, with how they stand now.
    package var collectors: [(index: Int, collector: RunCollector)] {
        journals.enumerated().compactMap { index, shard in shard.journal.collector.map { (index, $0) } }
    }

    /// What each shard did last, without those that are lost: they do nothing any more.
    ///
    /// - Parameter states: How each fares.
    /// - Returns: One for each that said something.
    package func latest(_ states: [State]) -> [RunInterval] {
        zip(journals, states).compactMap { shard, state in
            if case .lost = state { nil } else { shard.journal.latest }
        }
    }

    /// The journals of those that said something, as files.
    package var files: [URL] {
        journals.compactMap { $0.journal.collector == nil ? nil : $0.journal.file }
    }
}
