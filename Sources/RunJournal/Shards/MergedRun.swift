import Foundation
package import RunResult

/// One run of what its shards left, judged once by the code that judges any run.
///
/// Journals are read one after the other and added to a sum, so that memory holds the sum and one of them.
package struct MergedRun: Sendable {
    private let count: Int
    private var sum: RunCollector?
    private var parts: [Int: ShardResult] = [:]
    private var hosts: [HostFacts] = []
    private var defects: [String] = []
    private var aborted: [(index: Int, condition: String)] = []

    /// - Parameter count: How many shards the plan has.
    package init(count: Int) {
        self.count = count
    }

    /// Reads journals and adds them up.
    ///
    /// - Parameter journals: Of one run.
    /// - Throws: `ShardJournals.Refusal` where one of them cannot be read, or all of them hold nothing.
    package init(reading journals: ShardJournals) throws(ShardJournals.Refusal) {
        self.init(count: journals.count)
        for shard in journals.shards { try add(shard) }
        guard sum != nil else {
            throw ShardJournals.Refusal(problems: ["no shard of run '\(journals.runID)' left a whole interval"])
        }
    }

    private mutating func add(_ shard: ShardJournals.Shard) throws(ShardJournals.Refusal) {
        var emptied: JournalLines.Ending?
        for file in shard.files {
            do throws(JournalReadingError) {
                let run = try RecoveredRun(of: file, isBrief: true)
                return add(run, index: shard.mark.index)
            } catch {
                guard case .empty(let ending) = error else {
                    throw ShardJournals.Refusal(problems: ["\(file.relativePath): \(error)"])
                }
                emptied = emptied ?? ending
            }
        }
        var part = ShardResult(missing: shard.mark.index)
        part.host = shard.header.settings.run.host
        part.state = .cutOff
        part.recovered = RecoveredMark(intervals: 0, droppedBytes: 0, reason: "\(emptied ?? .complete)")
        parts[shard.mark.index] = part
    }

    private mutating func add(_ run: RecoveredRun, index: Int) {
        var mark: RecoveredMark?
        if run.checkpoint.ending == nil || run.ending != .complete {
            mark = RecoveredMark(
                intervals: run.checkpoint.intervals,
                droppedBytes: run.droppedBytes,
                reason: run.ending == .complete ? "its journal does not say that the run ended" : "\(run.ending)"
            )
        }
        add(run.checkpoint, index: index, recovered: mark)
    }

    /// Adds what one shard did; indices may come in any order, each once.
    ///
    /// - Parameters:
    ///   - shard: With its ending, where it had one.
    ///   - index: From 0.
    ///   - recovered: How its journal ends, where that does not say that the run ended by itself.
    package mutating func add(_ shard: RunCollector, index: Int, recovered: RecoveredMark? = nil) {
        let ending = recovered == nil ? shard.ending : nil
        var ready = shard.readyForOthers(shard: index)
        let isWhole = ending.map { !$0.interrupted } ?? false
        let left = isWhole ? 0 : ready.leaveOutUnresolved()
        let state: ShardResult.State =
            switch ending {
            case nil: .cutOff
            case .some(let ending): ending.interrupted ? .interrupted : ending.abortedBy == nil ? .ended : .aborted
            }
        var part = ShardResult(
            index: index,
            state: state,
            run: shard.settings.run,
            endedAtMicroseconds: ending?.endedAtMicroseconds ?? shard.endedAtMicroseconds,
            totals: ready.totals,
            health: shard.health
        )
        part.unresolvedLeftOut = left > 0 ? left : nil
        part.abortedBy = ending?.abortedBy
        part.recovered = recovered ?? (ending == nil ? Self.mark(of: shard) : nil)
        parts[index] = part
        hosts.append(shard.settings.run.host)
        if let defect = ending?.defect { defects.append("shard \(index) of \(count): \(defect)") }
        if let condition = ending?.abortedBy { aborted.append((index, condition)) }
        sum.addInParallel(ready)
    }

    private static func mark(of shard: RunCollector) -> RecoveredMark {
        RecoveredMark(intervals: shard.intervals, droppedBytes: 0, reason: "it does not say that its run ended")
    }

    /// The result of all shards, as of one run.
    ///
    /// - Parameters:
    ///   - toleratedLimitedShare: Share of the viewers, from 0 to 1, that shards may hold together which were their own
    ///     limit.
    ///   - notes: What a reader should know and nothing judges.
    ///   - drift: Judges the windows of a run with these settings.
    /// - Returns: The result; nil as long as no shard was added.
    package func document(
        toleratedLimitedShare: Double = 0,
        notes: [String] = [],
        drift: (_ windows: [WindowResult], _ settings: CollectorSettings) -> [DriftResult] = { _, _ in [] }
    ) -> ResultDocument? {
        guard var sum else { return nil }
        let shards = (0..<max(0, count)).map { parts[$0] ?? ShardResult(missing: $0) }
        let account = ShardAccount(shards: shards, toleratedLimitedShare: toleratedLimitedShare)
        sum.settings.run.shard = nil
        if let host = HostFacts.joined(hosts) { sum.settings.run.host = host }
        let first = aborted.min { $0.index < $1.index }
        let ends = shards.compactMap(\.endedAtMicroseconds)
        let ending = RunEnding(
            endedAtMicroseconds: ends.max() ?? sum.endedAtMicroseconds,
            interrupted: !account.missing.isEmpty,
            abortedBy: first.map { "shard \($0.index) of \(count): \($0.condition)" }
        )
        var document = sum.document(
            ending,
            defects: defects,
            notes: notes,
            isOver: account.missing.isEmpty && defects.isEmpty,
            shards: account,
            drift: drift
        )
        let bound = account.boundBetweenMicroseconds
        for index in document.breaks.each.indices where document.breaks.each[index].burst.firstMicroseconds != nil {
            document.breaks.each[index].spreadBoundMicroseconds = bound
        }
        return document
    }
}
