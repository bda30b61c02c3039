extension PrometheusExposition {
    /// State of a run's shards.
    ///
    /// A shard is a label: there are as many as machines, and users look each up by its number.
    func writeShards(to text: inout PrometheusText) {
        guard !run.shards.isEmpty else { return }
        text.family(
            "podswarm_shards",
            .gauge,
            "Shards of the run by how they fare: lost is one that said nothing for too long.",
            LiveShard.State.allCases.map { state in
                .init(
                    labels: [("state", state.rawValue)],
                    value: .count(run.shards.count { $0.state == state })
                )
            }
        )
        byShard("podswarm_shard_up", .gauge, "1 while the shard runs or has ended by itself.", to: &text) {
            .flag($0.state == .running || $0.state == .ended)
        }
        byShard("podswarm_shard_viewers", .gauge, "Viewers of the shard that are there.", to: &text) {
            .count($0.viewers)
        }
        byShard("podswarm_shard_requests_total", .counter, "Requests of the shard.", to: &text) { .count($0.requests) }
        byShard("podswarm_shard_errors_total", .counter, "Errors that the shard met.", to: &text) { .count($0.errors) }
        byShard(
            "podswarm_shard_lateness_seconds",
            .gauge,
            "The longest that a request of the shard left late in its last interval.",
            to: &text
        ) { .seconds($0.latenessMaximumMicroseconds) }
        byShard("podswarm_shard_limited", .gauge, "1 while the shard's generator is beyond its budget.", to: &text) {
            .flag(!$0.limits.isEmpty)
        }
    }

    private func byShard(
        _ name: String,
        _ kind: PrometheusText.Kind,
        _ help: String,
        to text: inout PrometheusText,
        _ value: (LiveShard) -> PrometheusText.Value
    ) {
        text.family(
            name,
            kind,
            help,
            run.shards.map { .init(labels: [("shard", "\($0.index)")], value: value($0)) }
        )
    }
}
