import Foundation
import Recording
import Rulebook
package import RunResult
import Synchronization

/// One run of what its shards left, judged once by the code that judges any run.
///
/// Journals are read on all cores and added to a sum in the order of their shards, so that memory holds the sum and one of
/// them for each core.
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
    /// - Parameters:
    ///   - journals: Of one run.
    ///   - workers: How many are read at once.
    /// - Throws: `ShardJournals.Refusal` where one of them cannot be read, or all of them hold nothing.
    package init(
        reading journals: ShardJournals,
        workers: Int = ShardReading.usualWorkers
    ) throws(ShardJournals.Refusal) {
        let merged = Mutex(MergedRun(count: journals.count))
        try ShardReading.each(of: journals.shards, workers: workers) { part in
            merged.withLock { $0.take(part) }
        }
        self = merged.withLock(\.self)
        guard sum != nil else {
            throw ShardJournals.Refusal(problems: ["no shard of run '\(journals.runID)' left a whole interval"])
        }
    }

    private mutating func take(_ part: ShardReading.Part) {
        switch part {
        case .done(let done): add(done)
        case .empty(let result): parts[result.index] = result
        }
    }

    /// Adds what one shard did; indices may come in any order, each once.
    ///
    /// - Parameters:
    ///   - shard: With its ending, where it had one.
    ///   - index: From 0.
    ///   - recovered: How its journal ends, where that does not say that the run ended by itself.
    package mutating func add(_ shard: RunCollector, index: Int, recovered: RecoveredMark? = nil) {
        add(DoneShard(shard, index: index, recovered: recovered))
    }

    private mutating func add(_ shard: DoneShard) {
        let index = shard.result.index
        parts[index] = shard.result
        hosts.append(shard.host)
        if let defect = shard.ending?.defect { defects.append("shard \(index) of \(count): \(defect)") }
        if let words = shard.ending?.lastWords {
            sessions.add(words.sessions, shard: index)
            lastWords[index] = (words.resends, words.besides)
        }
        if let condition = shard.ending?.abortedBy { aborted.append((index, condition)) }
        sum.addInParallel(shard.ready)
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
