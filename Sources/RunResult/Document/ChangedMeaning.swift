/// A figure of results that means something else from one schema version on.
///
/// Runs on both sides of the change are not compared by it, and a comparison says why.
package struct ChangedMeaning: Sendable {
    /// The first `schema_version` with the new meaning.
    package let since: Int
    /// Metrics as thresholds spell them, where `*` stands for any part, and parts that are left out at the end for all;
    /// empty where no metric changed.
    package let metrics: [String]
    /// The old and the new meaning, as a sentence.
    package let text: String

    package init(since: Int, metrics: [String] = [], text: String) {
        self.since = since
        self.metrics = metrics
        self.text = text
    }

    /// All changes, oldest first.
    package static let table: [ChangedMeaning] = [
        ChangedMeaning(
            since: 2,
            metrics: ["*.service", "*.response", "*.first_byte"],
            text: "service, response and first_byte end when the kernel received the answer; before, when podswarm"
                + " read it."
        ),
        ChangedMeaning(
            since: 2,
            metrics: ["breaks"],
            text: "viewers that were shut out, and viewers that learned of a break too late, are due and failed;"
                + " before, they were not counted. A pod is in time by when it came; before, by when podswarm read it."
        ),
        ChangedMeaning(
            since: 2,
            metrics: ["pods.filled", "pods.ads", "pods.slate"],
            text: "filled is the time of ads that were played, of ads that can be played to their end, of the time"
                + " that was asked for; before, the time of all that came."
        ),
        ChangedMeaning(
            since: 2,
            metrics: ["live_latency"],
            text: "live latency follows the channel's clock where its dates are ahead of this machine; before, it was"
                + " cut off."
        ),
        ChangedMeaning(
            since: 2,
            metrics: [
                "findings.registration_failed", "findings.channel_unavailable", "findings.break_announced_late",
            ],
            text: "registration_failed and channel_unavailable are new findings, and break_announced_late is found for"
                + " every source of breaks."
        ),
    ]

    /// The changes that lie between the oldest and the newest of some results.
    ///
    /// - Parameter versions: Their schema versions.
    /// - Returns: In the order of the table; empty for results of one version.
    package static func among(_ versions: some Sequence<Int>) -> [ChangedMeaning] {
        let versions = versions.sorted()
        guard let oldest = versions.first, let newest = versions.last else { return [] }
        return table.filter { $0.since > oldest && $0.since <= newest }
    }

    /// Whether a metric is one of those that changed.
    ///
    /// - Parameter metric: For example `pod_manifest.response.p99` or `findings.registration_failed.viewers`.
    /// - Returns: True where a pattern begins it.
    package func covers(_ metric: String) -> Bool {
        let parts = metric.split(separator: ".")
        return metrics.contains { pattern in
            let wanted = pattern.split(separator: ".")
            return wanted.count <= parts.count && zip(wanted, parts).allSatisfy { $0 == "*" || $0 == $1 }
        }
    }
}

extension [ChangedMeaning] {
    /// Whether any of these changes concerns a metric.
    ///
    /// - Parameter metric: As a threshold spells it.
    /// - Returns: True where one does.
    package func cover(_ metric: String) -> Bool { contains { $0.covers(metric) } }
}
