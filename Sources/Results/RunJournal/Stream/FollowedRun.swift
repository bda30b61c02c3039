package import Foundation
import Glibc

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
    private var journals: [StreamedJournal] = []
    private var unreachableSince: ContinuousClock.Instant?
    /// After this many consecutive unreadable journals the place is at fault.
    private static let failuresOfPlace = 2
    /// Multiple of the silence after which a place that does not answer makes its shards lost.
    private static let patience = 10

    /// `silence` counts only time in which the place answers.
    package init(
        count: Int,
        folder: URL,
        silence: Duration,
        now: ContinuousClock.Instant = .now
    ) throws(JournalReadingError) {
        self.silence = silence
        for index in 0..<count {
            journals.append(try StreamedJournal(file: folder.appending(path: "shard-\(index).journal"), now: now))
        }
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
                try await place.read(JournalPieces.group(ofShard: index), after: shard.lastName) { pieces in
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

    /// Sorted by shard index.
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

    /// Shards that have reported and are not lost.
    package func latest(_ states: [State]) -> [RunInterval] {
        zip(journals, states).compactMap { shard, state in
            if case .lost = state { nil } else { shard.latest }
        }
    }

    package var files: [URL] { journals.compactMap { $0.collector == nil ? nil : $0.file } }
}

/// Received journal of a shard, folded as far as it has arrived.
private final class StreamedJournal {
    let file: URL
    var heardAt: ContinuousClock.Instant
    private let descriptor: Int32
    private var lines: JournalLines
    private var isHeaded = false
    private(set) var lastName: String?
    private(set) var collector: RunCollector?
    private(set) var latest: RunInterval?
    /// Reason why a shard cannot be followed further; earlier records count.
    private(set) var stop: String?

    init(file: URL, now: ContinuousClock.Instant) throws(JournalReadingError) {
        (self.file, heardAt) = (file, now)
        descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .file(FileError(operation: "create", path: file.path, code: errno)) }
        do throws(JournalReadingError) {
            lines = try JournalLines.opened(file)
        } catch {
            _ = close(descriptor)
            throw error
        }
    }

    deinit { _ = close(descriptor) }

    var hasEnded: Bool { collector?.ending != nil }

    /// Pieces must come in order.
    func take(_ pieces: [RendezvousListing.Entry], observe: (RunInterval, RunCollector) -> Void) {
        guard stop == nil else { return }
        for piece in pieces {
            do throws(FileError) {
                try ResultDisk.ofThisMachine.writeAll(Array(piece.content), to: descriptor, path: file.path)
            } catch {
                stop = "\(file.path): \(String(cString: strerror(error.code)))"
                return
            }
            lastName = piece.name
        }
        lines.resume()
        while stop == nil, let record = lines.next() { fold(record, observe) }
        if case .damaged(let what) = lines.ending { stop = stop ?? "its journal is damaged: \(what)" }
    }

    private func fold(_ record: JournalRecord, _ observe: (RunInterval, RunCollector) -> Void) {
        do {
            switch record.kind {
            case .header:
                typealias Header = JournalHeader<CollectorSettings>
                guard !isHeaded, try JournalCoding.value(Header.self, of: record.payload).isOfThisVersion else {
                    stop = "its journal is of another version of podswarm"
                    return
                }
                isHeaded = true
            case .checkpoint: collector = try JournalCoding.value(RunCollector.self, of: record.payload)
            case .interval:
                let interval = try JournalCoding.value(RunInterval.self, of: record.payload)
                collector?.fold(interval)
                latest = interval
                if let collector { observe(interval, collector) }
            }
        } catch {
            stop = "its journal holds what means nothing to podswarm \(PodswarmVersion.current)"
        }
    }
}

/// Interval between looks, so that looking takes at most a quarter of a core.
package struct WatchPace: Sendable {
    package private(set) var rest = Duration.seconds(1)

    package init() {}

    /// Sets the rest to three times the look's duration, at least a second.
    package mutating func measure(_ look: () -> Void) {
        let took = ContinuousClock().measure(look)
        rest = max(.seconds(1), took * 3)
    }
}
