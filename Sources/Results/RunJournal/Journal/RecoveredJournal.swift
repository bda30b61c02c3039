package import Foundation
import Rules

package struct RecoveredJournal<Settings: Decodable & Sendable, Checkpoint: Decodable> {
    package let header: JournalHeader<Settings>
    /// The last checkpoint with every interval after it.
    package private(set) var checkpoint: Checkpoint
    package private(set) var intervals = 0
    package private(set) var droppedBytes: Int64 = 0
    package private(set) var ending = JournalLines.Ending.complete

    /// `isBrief` skips the records that the last whole checkpoint repeats.
    package init<Interval: Decodable>(
        contentsOf url: URL,
        intervals type: Interval.Type = Interval.self,
        isBrief: Bool = false,
        fold: (inout Checkpoint, Interval) -> Void
    ) throws(JournalReadingError) {
        let last = isBrief ? try Self.lastCheckpoint(of: url) : nil
        var lines = try JournalLines.opened(url)
        header = try Self.header(&lines)
        guard let first = lines.next(), first.kind == .checkpoint else {
            throw .empty(lines.ending ?? .damaged("another record in place of the first checkpoint"))
        }
        do {
            checkpoint = try JournalCoding.value(Checkpoint.self, of: first.payload)
        } catch {
            throw .otherVersion(podswarm: header.podswarmVersion)
        }
        if let last {
            lines.move(to: last.place)
            intervals = last.intervals
        }
        while let record = lines.next() {
            do {
                try take(record, fold: fold)
            } catch {
                // A result of the readable part would hide that the version is the reason why it ends.
                guard header.podswarmVersion == PodswarmVersion.current else {
                    throw .otherVersion(podswarm: header.podswarmVersion)
                }
                let version = PodswarmVersion.current
                lines.refuse(
                    record,
                    because: "a record of kind \(record.kind) that means nothing to podswarm \(version), which wrote it"
                )
            }
        }
        droppedBytes = max(0, lines.bytes - lines.wholeBytes)
        ending = lines.ending ?? .complete
    }

    /// nil if it is the first.
    private static func lastCheckpoint(
        of url: URL
    ) throws(JournalReadingError) -> (place: JournalLines.Place, intervals: Int)? {
        var lines = try JournalLines.opened(url)
        var last: (place: JournalLines.Place, intervals: Int)?
        var (number, intervals) = (0, 0)
        var place = lines.place
        while let record = lines.next() {
            // Header and first checkpoint are read in any case.
            if record.kind == .checkpoint, number > 1 { last = (place, intervals) }
            if record.kind == .interval { intervals += 1 }
            number += 1
            place = lines.place
        }
        return last
    }

    /// The run may be in progress.
    package static func header(of url: URL) throws(JournalReadingError) -> JournalHeader<Settings> {
        var lines = try JournalLines.opened(url, evenIfBeingWritten: true)
        return try header(&lines)
    }

    private mutating func take<Interval: Decodable>(
        _ record: JournalRecord,
        fold: (inout Checkpoint, Interval) -> Void
    ) throws {
        switch record.kind {
        case .interval:
            fold(&checkpoint, try JournalCoding.value(Interval.self, of: record.payload))
            intervals += 1
        case .checkpoint: checkpoint = try JournalCoding.value(Checkpoint.self, of: record.payload)
        case .header: throw JournalReadingError.noJournal
        }
    }

    private struct Heading: Decodable {
        var schema: String
        var schemaVersion: Int
        var podswarmVersion: String
    }

    private static func header(_ lines: inout JournalLines) throws(JournalReadingError) -> JournalHeader<Settings> {
        guard let record = lines.next() else {
            if case .damaged = lines.ending { throw .noJournal }
            throw .empty(lines.ending ?? .complete)
        }
        guard
            record.kind == .header, let heading = try? JournalCoding.value(Heading.self, of: record.payload),
            heading.schema == JournalHeader<Settings>.schemaName
        else { throw .noJournal }
        guard
            heading.schemaVersion == JournalHeader<Settings>.currentVersion,
            let header = try? JournalCoding.value(JournalHeader<Settings>.self, of: record.payload)
        else { throw .otherVersion(podswarm: heading.podswarmVersion) }
        return header
    }
}

package enum JournalReadingError: Error, Equatable, CustomStringConvertible {
    case file(FileError)
    case notAFile
    case beingWritten
    case noJournal
    /// The first checkpoint is not whole.
    case empty(JournalLines.Ending)
    case otherVersion(podswarm: String)

    /// The file is sound but its run ended before the first interval.
    package var isOfBriefRun: Bool { self == .empty(.complete) || self == .empty(.torn) }

    package var description: String {
        switch self {
        case .file(let error): "\(error)"
        case .notAFile: "this is not a file"
        case .beingWritten: "its run is still going on"
        case .noJournal: "this is not a journal of podswarm"
        case .empty(.complete): "it holds no interval"
        case .empty(let ending): "it holds no whole interval: \(ending)"
        case .otherVersion(let version):
            "its journal is of another form than podswarm \(PodswarmVersion.current) writes now: recover it with the "
                + "podswarm \(version) that wrote it"
        }
    }
}

package typealias RunJournalWriter = JournalWriter<RunCollector, RunInterval>

package typealias RecoveredRun = RecoveredJournal<CollectorSettings, RunCollector>

extension RunInterval: JournalInterval {
    /// As long as writing the state of a large run takes.
    private static let quietMicroseconds: Int64 = 3_000_000

    /// No viewer requests pods now or will soon.
    package var isQuiet: Bool {
        counts.podRequests == 0 && nextBreakMicroseconds.map { $0 &- wallMicroseconds > Self.quietMicroseconds } ?? true
    }
}

extension RecoveredJournal<CollectorSettings, RunCollector> {
    /// `isBrief` skips what the last whole checkpoint repeats.
    package init(of journal: URL, isBrief: Bool = false) throws(JournalReadingError) {
        try self.init(contentsOf: journal, intervals: RunInterval.self, isBrief: isBrief) { $0.fold($1) }
        if isBrief, case .damaged = ending {
            // The damage may be in the checkpoint itself.
            try self.init(contentsOf: journal, intervals: RunInterval.self) { $0.fold($1) }
        }
        guard checkpoint.intervals > 0 else { throw .empty(ending) }
    }

    /// Thresholds that this version cannot judge, as messages; the result has them too.
    package var complaints: [String] { checkpoint.settings.thresholds.compactMap(\.complaint) }

    /// Up to the last whole interval, marked as recovered.
    package func document(
        drift: (_ windows: [WindowResult], _ settings: CollectorSettings) -> [DriftResult] = { _, _ in [] }
    ) -> ResultDocument {
        let ending = RunEnding(endedAtMicroseconds: checkpoint.endedAtMicroseconds, interrupted: true)
        var document = checkpoint.document(ending, isOver: false, drift: drift)
        document.run.recovered = RecoveredMark(
            intervals: checkpoint.intervals,
            droppedBytes: droppedBytes,
            reason: "\(self.ending)"
        )
        return document
    }
}
