/// Runs on both sides of the change are not compared by that figure.
package struct ChangedMeaning: Sendable {
    /// First `schema_version` with the new meaning.
    package let since: Int
    /// Metric name patterns: `*` is any part, omitted last parts match all.
    package var metrics: [String] = []
    package let text: String

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
            metrics: ["findings.registration_failed", "findings.channel_unavailable", "findings.break_announced_late"],
            text: "registration_failed and channel_unavailable are new findings, and break_announced_late is found for"
                + " every source of breaks."
        ),
    ]

    package static func among(_ versions: some Sequence<Int>) -> [ChangedMeaning] {
        let versions = versions.sorted()
        guard let oldest = versions.first, let newest = versions.last else { return [] }
        return table.filter { $0.since > oldest && $0.since <= newest }
    }

    package func covers(_ metric: String) -> Bool {
        let parts = metric.split(separator: ".")
        return metrics.contains { pattern in
            let wanted = pattern.split(separator: ".")
            return wanted.count <= parts.count && zip(wanted, parts).allSatisfy { $0 == "*" || $0 == $1 }
        }
    }
}

extension [ChangedMeaning] {
    package func cover(_ metric: String) -> Bool { contains { $0.covers(metric) } }
}
