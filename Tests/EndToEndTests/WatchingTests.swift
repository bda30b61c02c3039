import Foundation
import Results
import TestSupport
import Testing

/// A run that others look at while it goes.
///
/// Over sockets, because others connect to a run while it goes.
@Suite(.fewWaiting) struct WatchingTests {
    /// Starts a run and hands it over with what it said of where it can be watched.
    private func watching(
        _ profile: FastProfile,
        faults: String? = nil,
        _ options: [String]
    ) async throws -> (rehearsal: Rehearsal, run: ChildProcess, base: String) {
        let rehearsal = try Rehearsal(profile.yaml, faults: faults)
        let run = try rehearsal.start(options + ["--linger", "10m"])
        try await run.wait(for: "a URL") { $0.errors.contains("http://") }
        let url = try #require(run.errors.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+/))
        return (rehearsal, run, String(url.output))
    }

    @Test func aRealPrometheusEndsUpWithTheFiguresOfTheResult() async throws {
        let faults =
            "[{fault: pod_mismatch, breaks: [2], share: 50%}, {fault: error_status, status: 503, kinds: [playlist], share: 5%}]"
        // Until everything has been seen.
        let profile = FastProfile.faulty.lasting("10m")
        // Labels are what somebody gives a run, and the only text of others among its metrics.
        let hostile = "=cmd \"quoted\" \\ back\n# HELP x\nx{y=\"1\"} 2\r\u{1B}[31m\u{9B}\u{202E}<script>"
        let labels = ["--label", "na\nme{}=\(hostile)", "--label", "__name__=x"]
        let (rehearsal, run, base) = try await watching(profile, faults: faults, ["--metrics", "127.0.0.1:0"] + labels)
        try await PrometheusServer.scraping(String(base.dropFirst("http://".count))) { prometheus in
            let page = try await PageClient(base: base).get("/metrics")
            #expect(page.status == 200)
            #expect(try await Self.complaintsOfPromtool(about: page.body) == "")
            try await run.wait(for: "a scrape of findings") { _ in
                try await prometheus.query("sum(podswarm_findings) > 0").count == 1
            }
            // A scrape that a busy machine lets time out ends each series until the next.
            let told = try #require(try await prometheus.query("last_over_time(podswarm_run_info[10m])").first?.labels)
            #expect(told.values.contains { $0.hasPrefix("=cmd \"quoted\" \\ back") }, "\(told)")
            #expect(try await prometheus.query("x").isEmpty)
            // What a dashboard asks for is a query that Prometheus understands.
            for expression in try Self.dashboardExpressions() { _ = try await prometheus.query(expression) }
            run.send(SIGINT)
            let outcome = try rehearsal.outcome(of: try await run.ended())
            #expect(outcome.end.status == 130, "\(outcome.end.output)\(outcome.end.errors)")
            try await compare(prometheus, with: outcome.document)
        }
    }

    /// Series of a target that is gone count as over; what they held last is what is compared.
    private func compare(_ prometheus: PrometheusServer, with document: ResultDocument) async throws {
        let last = { (metric: String) in try await prometheus.query("last_over_time(\(metric)[10m])") }
        #expect(try await last("podswarm_run_ended").map(\.value) == [1])
        let requests = try await last("podswarm_requests_total").filter { $0.value > 0 }
        #expect(requests.reduce(0) { $0 + $1.value } == Double(document.requests.values.reduce(0) { $0 + $1.count }))
        for (kind, result) in document.requests {
            let outcomes = requests.filter { $0.labels["kind"] == kind }
                .map { ($0.labels["outcome"] ?? "", UInt64($0.value)) }
            #expect(Dictionary(uniqueKeysWithValues: outcomes) == result.outcomes, "\(kind)")
            for metric in ["response", "service", "lateness"] {
                let name = "podswarm_request_\(metric)_seconds"
                let selector = "{kind=\"\(kind)\"}"
                let expected = result.latencies[metric]
                #expect(try await last("\(name)_count\(selector)").map(\.value) == [Double(expected?.count ?? 0)])
                let seconds = try #require(try await last("\(name)_sum\(selector)").first).value
                #expect(abs(seconds - Double(expected?.sumMicroseconds ?? 0) / 1e6) < 1e-9 * max(1, seconds))
                let all = try await last("\(name)_bucket{kind=\"\(kind)\",le=\"+Inf\"}").map(\.value)
                #expect(all == [Double(expected?.count ?? 0)])
            }
        }
        #expect(try await last("podswarm_break_viewers_due_total").map(\.value) == [Double(document.breaks.due)])
        let onTime = try await last("podswarm_break_viewers_total{result=\"on_time\"}").map(\.value)
        #expect(onTime == [Double(document.breaks.onTime)])
        let findings = try await last("podswarm_findings").filter { $0.value > 0 }
            .map { ($0.labels["code"] ?? "", UInt64($0.value)) }
        #expect(!findings.isEmpty)
        #expect(
            Dictionary(uniqueKeysWithValues: findings)
                == Dictionary(uniqueKeysWithValues: document.findings.map { ($0.code, $0.count) })
        )
        for (counter, count) in document.viewers where !counter.hasSuffix("_ms") {
            let events = try await last("podswarm_viewer_events_total{event=\"\(counter)\"}").map(\.value)
            #expect(events == [Double(count)], "\(counter)")
        }
    }

    private static func complaintsOfPromtool(about metrics: String) async throws -> String {
        let folder = try TemporaryFolder()
        let page = try folder.write(metrics, to: "metrics.txt")
        let command = "exec '\(try ExternalTool.promtool.path())' check metrics < '\(page)'"
        let end = try await ExternalTool.bash.run(["-c", command])
        return end.status == 0 ? end.output + end.errors : "status \(end.status): \(end.output)\(end.errors)"
    }

    /// The queries of the shipped dashboards, as Grafana would send them.
    private static func dashboardExpressions() throws -> [String] {
        let text = try ["dashboard", "nights", "shards"].map { name in
            let file = PackageFolder.file("Profiles/monitoring/grafana-\(name).json")
            return String(decoding: try Data(contentsOf: file), as: UTF8.self)
        }.joined()
        let expressions = text.matches(of: /"expr": ("(?:[^"\\]|\\.)*")/).compactMap {
            try? JSONDecoder().decode(String.self, from: Data($0.1.utf8))
        }
        #expect(expressions.count > 50)
        return expressions.map {
            $0.replacing("$__rate_interval", with: "10s").replacing("$__interval", with: "10s")
                .replacing("$instance", with: ".*").replacing("$profile", with: ".*")
        }
    }

    @Test func aPageShowsTheRunAsItGoesAndThenItsReport() async throws {
        // Until everybody has looked.
        let profile = FastProfile.embedded.lasting("10m")
        let (rehearsal, run, base) = try await watching(profile, ["--dashboard", "127.0.0.1:0"])
        try await run.wait(for: "a break") { $0.errors.contains("on time") }
        let folder = try TemporaryFolder()
        let url = try URL.parsed("\(base)/")
        let live = ["--wait-for", "html[data-updates]", "--axe", "--fits"]
        async let wide = Browser.inspect(
            url,
            live + [
                "--settle", "3", "--walk", "[role=slider]", "--press", "ArrowRight", "--expect",
                "had their pod in hand in time",
                "--screenshot", folder.file("live.png").path,
            ]
        )
        async let narrow = Browser.inspect(
            url,
            live + ["--width", "390", "--theme", "dark", "--screenshot", folder.file("narrow.png").path]
        )
        let (window, phone) = try await (wide, narrow)
        #expect(window.complaints == [])
        #expect(try #require(window.walk?.reached) > 6)
        #expect(phone.complaints == [])
        for picture in ["live.png", "narrow.png"] { #expect(try Data(contentsOf: folder.file(picture)).count > 10_000) }
        // Sees through the end of the run what takes the place of the page.
        let browser = try Browser.start(url, ["--wait-for", "html[data-updates]", "--wait-after", "#verdict"])
        try await browser.wait(for: "an open page") { $0.errors.contains("the page is open") }
        run.send(SIGINT)
        #expect(try await Browser.inspection(of: browser).complaints == [])
        // It lingers for a page, too, whose end it had not seen yet.
        let outcome = try rehearsal.outcome(of: try await run.ended(within: .seconds(800)))
        #expect(outcome.end.status == 130, "\(outcome.end.output)\(outcome.end.errors)")
        #expect(outcome.document.verdict.outcome == .interrupted)
    }
}
