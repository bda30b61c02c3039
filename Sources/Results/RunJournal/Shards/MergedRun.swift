import Foundation
import Rules
import Synchronization

/// Judged once, by the code that judges any run.
package struct MergedRun: Sendable {
    private let count: Int
    private var sum: RunCollector?
    private var parts: [Int: ShardResult] = [:]
    private var defects: [String] = []
    private var sessions = SharedSessions()
    /// Shards that reported their own counts at the end.
    private var lastWords: [Int: (resends: [String: Int], besides: [String: Int]?)] = [:]

    package init(count: Int) { self.count = count }

    package init(reading journals: ShardJournals, workers: Int = ShardReading.usualWorkers) throws(Problems) {
        let merged = Mutex(MergedRun(count: journals.count))
        try ShardReading.each(of: journals.shards, workers: workers) { part in
            merged.withLock { $0.add(part) }
        }
        self = merged.withLock(\.self)
        guard sum != nil else { throw Problems(["no shard of run '\(journals.runID)' left a whole interval"]) }
    }

    /// Indices come in any order.
    mutating func add(_ shard: DoneShard) {
        let index = shard.result.index
        parts[index] = shard.result
        if let defect = shard.ending?.defect { defects.append("shard \(index) of \(count): \(defect)") }
        if let words = shard.ending?.lastWords {
            sessions.add(words.sessions, shard: index)
            lastWords[index] = (words.resends, words.besides)
        }
        sum.add(shard.ready)
    }

    /// `toleratedLimitedShare` is a share of viewers, from 0 to 1; nil before a shard is added.
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
        let hosts = shards.filter { $0.viewers != nil }.compactMap(\.host)
        if let host = HostFacts.joined(hosts) { sum.settings.run.host = host }
        let ends = shards.compactMap(\.endedAtMicroseconds)
        let aborted = shards.compactMap { shard in
            shard.abortedBy.map { "shard \(shard.index) of \(count): \($0)" }
        }
        var ending = RunEnding(endedAtMicroseconds: ends.max() ?? sum.endedAtMicroseconds)
        (ending.interrupted, ending.abortedBy) = (!account.missing.isEmpty, aborted.first)
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

    private static func foreignSession(_ breakKey: String) -> FindingLedger.Key {
        FindingLedger.Key(code: FindingCode.foreignStreamID.code, breakKey: breakKey)
    }

    /// Sessions given twice, and answers with another shard's session.
    private func findSessions(in sum: inout RunCollector) {
        var sessions = sessions
        sessions.sort()
        let expected = "no session but the viewer's own"
        // The start replaces the instant of giving a session, which is not kept.
        let start = sum.settings.run.startedAtMicroseconds
        for shared in sessions.cases() {
            let observed = "a session that \(shared.first) was given as well, by its digest when \(shared.owner) had it"
            let evidence = Evidence(url: "", expected: expected, observed: observed)
            let moment = ViewerMoment(viewer: Int(shared.owner.viewer), wallMicroseconds: start)
            sum.found(FindingEntry(moment, evidence), as: Self.foreignSession(""))
        }
        var leaked: [String: (manifests: ViewerSet, renditions: ViewerSet)] = [:]
        for leak in sessions.leaks() {
            let found = FindingEntry(leak.entry) { evidence in
                let place = evidence.observed.isEmpty ? "in an answer" : evidence.observed
                return evidence.saying(
                    expected: evidence.expected.isEmpty ? expected : evidence.expected,
                    observed: "\(place) a session that \(leak.owner) was given, seen by its digest"
                )
            }
            sum.found(found, as: Self.foreignSession(leak.key.breakKey))
            guard leak.key.isCompared else { continue }
            // Taken out, so that adding to the sets does not copy them.
            var pods = leaked.removeValue(forKey: leak.key.breakKey) ?? (ViewerSet(), ViewerSet())
            let viewers = leak.entry.viewers.all
            let isManifest = leak.kind == RequestKind.podManifest.name
            if isManifest { pods.manifests.formUnion(viewers) } else { pods.renditions.formUnion(viewers) }
            leaked[leak.key.breakKey] = pods
        }
        for (key, pods) in leaked { sum.leaveOut(manifestsOf: pods.manifests, renditionsOf: pods.renditions, of: key) }
    }

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

    /// Counts of an origin without other clients; `connections` is nil if viewers did not identify themselves.
    package typealias OriginCounts = (received: [String: Int], connections: Reconciliation.Connections?)

    /// nil if a shard did not report its requests, with a note.
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
