import Results
import Rules

extension ResultDocument {
    /// The request kind with the worst 99th percentile of a metric, and its distribution.
    ///
    /// It may have too few samples for that percentile, which is then merely the maximum.
    func worstP99(_ metric: LatencyMetric) -> (kind: String, latency: LatencyResult)? {
        requests.compactMap { name, result in result.latencies[metric.name].map { (name, $0) } }
            .max { ($0.1.p99Microseconds, $1.0) < ($1.1.p99Microseconds, $0.0) }
    }

    /// Share of answers timed by podswarm's own clock, and number of answers that waited to be read; empty if there are none.
    var wordsOfStamps: [String] {
        let answers = requests.values.reduce(0) { $0 &+ ($1.latencies[LatencyMetric.service.name]?.count ?? 0) }
        let unstamped = requests.values.reduce(0) { $0 &+ ($1.unstamped ?? 0) }
        let outgrown = requests.values.reduce(0) { $0 &+ ($1.outgrewBuffer ?? 0) }
        var words: [String] = []
        if unstamped > 0, answers > 0 {
            let share = MetricText.percent(Double(unstamped) * 100 / Double(answers))
            words.append("\(share) of the answers without a stamp of the kernel")
        }
        if outgrown > 0 {
            let answers = TextLayout.counted(outgrown, "answer")
            words.append("\(answers) larger than the receive buffer, which waited for podswarm")
        }
        return words
    }
}
