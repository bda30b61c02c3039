import Foundation
import Recording
import Rulebook
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
    private var sessions = SharedSessions()
    /// Shards that said at their end what only they knew.
    private var lastWords: [Int: (resends: [String: Int], besides: [String: Int]?)] = [:]

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
        if let words = ending?.lastWords {
            sessions.add(words.sessions, shard: index)
            lastWords[index] = (words.resends, words.besides)
        }
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
    ///   - origin: What the origin counted that served them; nil where nobody says.
    ///   - drift: Judges the windows of a run with these settings.
    /// - Returns: The result; nil as long as no shard was added.
    package func document(
        toleratedLimitedShare: Double = 0,
        origin: OriginCounts? = nil,
        drift: (_ windows: [WindowResult], _ settings: CollectorSettings) -> [DriftResult] = { _, _ in [] }
    ) -> ResultDocument? {
        guard var sum else { return nil }
        findSessions(in: &sum)
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
        let (reconciliation, note) = reconciliation(with: origin)
        var document = sum.document(
            ending,
            reconciliation: reconciliation,
            defects: defects,
            notes: notes + [note].compactMap(\.self),
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

    // MARK: What only shows when shards are held against each other

    private static func foreignSession(_ breakKey: String) -> FindingLedger.Key {
        FindingLedger.Key(code: FindingCode.foreignStreamID.code, breakKey: breakKey)
    }

    /// Books what shards could not know of: sessions that were given twice, and answers that carry another's.
    private func findSessions(in sum: inout RunCollector) {
        let sessions = sessions.sorted()
        let expected = "no session but the viewer's own"
        // When a session was given is not kept, and so the start of the run stands for it.
        let start = sum.settings.run.startedAtMicroseconds
        for shared in sessions.cases() {
            let evidence = Evidence(
                url: "",
                expected: expected,
                observed: "a session that \(shared.first) was given as well, by its digest when \(shared.owner) had it"
            )
            let sighting = Sighting(wallMicroseconds: start, viewer: shared.owner.viewer, evidence: evidence)
            sum.found(FindingEntry(sighting), as: Self.foreignSession(""))
        }
        var leaked: [String: LeakedPods] = [:]
        for leak in sessions.leaks() {
            let known = leak.known
            let found = FindingEntry(known.entry) { evidence in
                let place = evidence.observed.isEmpty ? "in an answer" : evidence.observed
                return evidence.saying(
                    expected: evidence.expected.isEmpty ? expected : evidence.expected,
                    observed: "\(place) a session that \(known.owner) was given, seen by its digest"
                )
            }
            sum.found(found, as: Self.foreignSession(known.breakKey))
            guard known.wasCompared else { continue }
            let isManifest = leak.kind == RequestKind.podManifest.name
            leaked[known.breakKey, default: LeakedPods()].add(known.entry.viewers.all, isManifest: isManifest)
        }
        for (key, pods) in leaked { sum.leaveOut(pods, of: key) }
    }

    /// What a reader would take for looked at, and is not.
    private var notes: [String] {
        guard count > 1 else { return [] }
        let silent = parts.keys.filter { lastWords[$0] == nil }.sorted()
        guard !silent.isEmpty else { return sessions.notes }
        let names = silent.prefix(8).map(String.init).joined(separator: ", ") + (silent.count > 8 ? ", …" : "")
        return [
            "Whether sessions of \(silent.count == 1 ? "shard" : "shards") \(names) came to viewers of others, or those of "
                + "others to theirs, is not known: a journal says that at its end."
        ] + sessions.notes
    }
}

extension MergedRun {
    /// What an origin counted that served all shards and nobody else.
    package struct OriginCounts: Sendable {
        /// Requests received by kind name.
        package var received: [String: Int]
        /// What the origin saw of connections; nil where viewers did not say who they are.
        package var connections: Reconciliation.Connections?

        package init(received: [String: Int], connections: Reconciliation.Connections?) {
            self.received = received
            self.connections = connections
        }
    }

    /// What all shards counted beside what the origin did.
    ///
    /// - Parameter origin: Its counts; nil where nobody says.
    /// - Returns: The comparison, nil where a shard did not say at its end what it had sent; and what a reader should know.
    private func reconciliation(with origin: OriginCounts?) -> (Reconciliation?, note: String?) {
        guard let origin else {
            return (nil, "The origin's own counts are not looked at: merge takes what it counted with --origin-truth.")
        }
        guard let sum, parts.count == count, parts.keys.allSatisfy({ lastWords[$0]?.besides != nil }) else {
            let reason = "not every shard said at its end what it had sent"
            return (nil, "The origin's own counts are compared with nothing: \(reason).")
        }
        var resends: [String: Int] = [:]
        var besides: [String: Int] = [:]
        for words in lastWords.values {
            resends.merge(words.resends) { $0 &+ $1 }
            besides.merge(words.besides ?? [:]) { $0 &+ $1 }
        }
        let reconciliation = Reconciliation(
            totals: sum.wholeTotals,
            originReceived: origin.received,
            connections: origin.connections,
            resends: resends,
            besides: besides
        )
        return (reconciliation, nil)
    }
}
