import Foundation
import Report
package import Results
import Viewer

/// A run that is served to Prometheus or a dashboard.
package struct LiveBroadcast: Sendable {
    package let server: LiveServer
    package let linger: Duration

    /// The state is computed on the server's thread; the run copies what it changes meanwhile.
    ///
    /// `shards` is empty for an undivided run.
    func publish(_ progress: Report.Progress, of collector: RunCollector, shards: [LiveShard] = []) {
        server.publish(at: Double(collector.endMicroseconds) / 1_000_000) {
            LiveState(progress, of: collector, shards: shards)
        }
    }

    /// Serves on until readers have the end.
    package func end(_ document: ResultDocument, output: RunOutput, requests: RunRequests) async {
        let before = requests.end
        await server.end(document, report: Self.page(document))
        // An open page fetches its report at once.
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

extension ViewerMachine.Phase {
    static let words = allCases.map(\.words)

    private var words: String {
        switch self {
        case .waiting: "waiting"
        case .joining: "joining"
        case .watching: "watching"
        case .inBreak: "in a break"
        case .leaving: "leaving"
        case .gone: "gone"
        }
    }
}
