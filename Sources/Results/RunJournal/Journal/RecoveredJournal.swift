package import Foundation
import Rules

package protocol JournalledState: Codable, Sendable {
    associatedtype Interval: JournalInterval

    /// Whether a result would have nothing.
    var isEmpty: Bool { get }

    mutating func fold(_ interval: Interval)
}

package struct RecoveredJournal<State: JournalledState>: Sendable {
    package let header: JournalHeader
    /// The last checkpoint with every interval after it.
    package private(set) var checkpoint: State
    package private(set) var droppedBytes: Int64 = 0
    package private(set) var ending = JournalLines.Ending.complete

    /// `isBrief` skips the records that the last whole checkpoint repeats.
    package init(of url: URL, isBrief: Bool = true) throws(JournalReadingError) {
        var lines = try JournalLines.opened(url)
        try self.init(beginning: &lines)
        var waiting: [JournalRecord] = []
        while let record = lines.nextRecord() {
            if record.kind == .checkpoint { waiting = [] }
            waiting.append(record)
            if !isBrief { try take(&waiting, of: &lines) }
        }
        try take(&waiting, of: &lines)
        end(lines)
        if isBrief, case .damaged = ending {
            // The damage may be in the checkpoint itself.
            self = try Self(of: url, isBrief: false)
        }
        guard !checkpoint.isEmpty else { throw .empty(ending) }
    }

    /// As the run began, which may be in progress.
    init(beginningOf url: URL) throws(JournalReadingError) {
        var lines = try JournalLines.opened(url, evenIfBeingWritten: true)
        try self.init(beginning: &lines)
    }

    private init(beginning lines: inout JournalLines) throws(JournalReadingError) {
        let header = try Self.header(&lines)
        guard let first = lines.nextRecord() else { throw .empty(lines.ending ?? .complete) }
        try self.init(header, first)
    }

    init(_ header: JournalHeader, _ first: JournalRecord) throws(JournalReadingError) {
        guard first.kind == .checkpoint else {
            throw .empty(.damaged("another record in place of the first checkpoint"))
        }
        guard let state: State = try? first.value() else { throw Self.error(in: first, after: header) }
        (self.header, checkpoint) = (header, state)
    }

    private mutating func take(
        _ records: inout [JournalRecord],
        of lines: inout JournalLines
    ) throws(JournalReadingError) {
        defer { records = [] }
        for (place, record) in records.enumerated() {
            do throws(JournalReadingError) {
                try fold(record)
            } catch {
                guard case .meaningless = error else { throw error }
                return lines.refuse(records[place...], because: "\(error)")
            }
        }
    }

    /// Returns the interval, if it is one.
    @discardableResult
    mutating func fold(_ record: JournalRecord) throws(JournalReadingError) -> State.Interval? {
        switch record.kind {
        case .interval:
            guard let interval: State.Interval = try? record.value() else { break }
            checkpoint.fold(interval)
            return interval
        case .checkpoint:
            guard let state: State = try? record.value() else { break }
            checkpoint = state
            return nil
        case .header: break
        }
        throw Self.error(in: record, after: header)
    }

    /// A result of the readable part would hide that the version is the reason why it ends.
    private static func error(in record: JournalRecord, after header: JournalHeader) -> JournalReadingError {
        header.podswarmVersion == PodswarmVersion.current
            ? .meaningless(record.kind) : .otherVersion(podswarm: header.podswarmVersion)
    }

    mutating func end(_ lines: borrowing JournalLines) {
        droppedBytes = max(0, lines.bytes - lines.wholeBytes)
        ending = lines.ending ?? .complete
    }

    static func header(_ lines: inout JournalLines) throws(JournalReadingError) -> JournalHeader {
        if let record = lines.nextRecord() { return try header(record) }
        guard case .damaged = lines.ending else { throw .empty(lines.ending ?? .complete) }
        // Records of another version may have another form.
        _ = try header(JournalRecord(kind: .header, payload: lines.refused))
        throw .noJournal
    }

    private static func header(_ record: JournalRecord) throws(JournalReadingError) -> JournalHeader {
        guard record.kind == .header, let header: JournalHeader = try? record.value(),
            header.schema == JournalHeader.schemaName
        else { throw .noJournal }
        guard header.schemaVersion == JournalHeader.currentVersion else {
            throw .otherVersion(podswarm: header.podswarmVersion)
        }
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
    case meaningless(JournalRecord.Kind)

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
        case .meaningless(let kind):
            "a record of kind \(kind) that means nothing to podswarm \(PodswarmVersion.current), which wrote it"
        }
    }
}

package typealias RunJournalWriter = JournalWriter<RunCollector>
package typealias RecoveredRun = RecoveredJournal<RunCollector>

extension RunCollector: JournalledState {
    package var isEmpty: Bool { intervals == 0 }
}

extension RunInterval: JournalInterval {
    /// As long as writing the state of a large run takes.
    private static let quietMicroseconds: Int64 = 3_000_000

    /// No viewer requests pods now or will soon.
    package var isQuiet: Bool {
        counts.podRequests == 0 && nextBreakMicroseconds.map { $0 &- wallMicroseconds > Self.quietMicroseconds } ?? true
    }
}

extension RecoveredRun {
    /// Thresholds that this version cannot judge, as messages; the result has them too.
    package var complaints: [String] { checkpoint.settings.thresholds.compactMap(\.complaint) }

    /// Up to the last whole interval, marked as recovered.
    package func document(
        drift: (_ windows: [WindowResult], _ settings: CollectorSettings) -> [DriftResult] = { _, _ in [] }
    ) -> ResultDocument {
        let ending = RunEnding(endedAtMicroseconds: checkpoint.endedAtMicroseconds, interrupted: true)
        var document = checkpoint.document(ending, isOver: false, drift: drift)
        let (intervals, reason) = (checkpoint.intervals, "\(self.ending)")
        document.run.recovered = RecoveredMark(intervals: intervals, droppedBytes: droppedBytes, reason: reason)
        return document
    }
}
