import Foundation
import Report
package import Results

/// A run that is served to Prometheus or a dashboard.
package struct LiveBroadcast: Sendable {
    package let server: LiveServer
    package let linger: Duration

    /// Publishes the state of the run; the state is computed on the server's thread.
    ///
    /// The collector is a value: while it is read, the run copies what it changes. `shards` is empty for an undivided run.
    func publish(_ progress: Report.Progress, of collector: RunCollector, shards: [LiveShard] = []) {
        server.publish(at: Double(collector.endMicroseconds) / 1_000_000) {
            let run = collector.settings.run
            let totals = collector.wholeTotals
            let hasWarmUp = collector.settings.warmUpMilliseconds > 0
            return LiveState(
                profile: run.profile,
                labels: run.labels,
                target: run.target,
                startedAtMicroseconds: run.startedAtMicroseconds,
                progress: progress,
                // A warm-up is shown too, as the present state of the run.
                totals: totals,
                health: collector.wholeHealth,
                // Without a warm-up the totals need not be computed twice.
                generator: LiveShard.verdict(of: shards)
                    ?? (hasWarmUp ? collector.generatorVerdict : collector.generatorVerdict(for: totals)),
                series: collector.series,
                shards: shards
            ) {
                collector.document(
                    RunEnding(endedAtMicroseconds: collector.endedAtMicroseconds),
                    isOver: false,
                    drift: RunSession.drift
                )
            }
        }
    }

    /// Publishes the end, and serves on until readers have it or the user stops the run.
    package func end(_ document: ResultDocument, output: RunOutput, requests: RunRequests) async {
        let before = requests.end
        await server.end(document, report: Self.page(document))
        // An open page fetches its report at once; only a longer wait is worth a line.
        let moment = min(.seconds(1), linger)
        await server.linger(atMost: moment) { requests.end != before }
        let awaited = server.awaited
        if !awaited.isEmpty, linger > moment, requests.end == before {
            let limit = linger.formatted(.units(allowed: [.minutes, .seconds], width: .narrow))
            output.note("Waiting up to \(limit) for \(awaited.joined(separator: " and ")).")
            await server.linger(atMost: linger - moment) { requests.end != before }
        }
        await server.stop()
    }

    private static func page(_ document: ResultDocument) -> String {
        if let page = try? document.html() { return page }
        let text = TextSummary(of: document, path: nil).render()
            .replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return "<!doctype html><html lang=\"en\"><title>podswarm</title><pre>\(text)</pre></html>\n"
    }
}
