import Results

extension ShardEnrolment {
    /// Streams this shard's journal to the meeting point; the stream receives every interval, and the end.
    func stream(of settings: CollectorSettings) -> JournalStream {
        let planned = Duration.microseconds(settings.plannedMicroseconds ?? 0)
        return JournalStream(to: place, shard: mark.index, settings: settings, timing: .forRun(lasting: planned))
    }
}

extension RunSession {
    /// Begins to follow all shards, if this one makes the merged result, which lies beside those of each shard.
    ///
    /// A request in `requests` to stop ends the following. The task returns the exit status once all shards have ended.
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
