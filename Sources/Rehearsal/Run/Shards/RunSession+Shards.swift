import Console
import Rendezvous
import RunJournal
import RunResult

extension ShardEnrolment {
    /// Tells where the shards meet what this one does.
    ///
    /// - Parameter settings: Of the run.
    /// - Returns: To be handed every interval, and the end.
    func stream(of settings: CollectorSettings) -> JournalStream {
        let planned = Duration.microseconds(settings.plannedMicroseconds ?? 0)
        return JournalStream(to: place, shard: mark.index, settings: settings, timing: .forRun(lasting: planned))
    }
}

extension RunSession {
    /// Begins to follow all shards, where this one makes the result of all.
    ///
    /// Results of all lie beside those of each.
    ///
    /// - Parameter requests: Whoever asks for the end of the run ends the following.
    /// - Returns: How all of them ended, once they have.
    func resultOfAllShards(requests: RunRequests) -> Task<PodswarmExit, any Error>? {
        guard let shard, let watch = shard.watch(output: output, live: live, requests: requests) else { return nil }
        let merge = ShardMerge(
            toleratedLimitedShare: shard.toleratedLimitedShare,
            originTruthFile: nil,
            exports: exports,
            writesReport: writesReport,
            output: output
        )
        let results = store.folder
        return Task { try await watch.merged(by: merge, into: results) }
    }
}
