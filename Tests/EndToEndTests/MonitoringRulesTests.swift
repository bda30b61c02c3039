import Foundation
import TestSupport
import Testing

/// What `Profiles/monitoring` holds for Prometheus and the OpenTelemetry Collector, as Prometheus's own tools read it.
@Suite(.fewAtOnce) struct MonitoringRulesTests {
    private static let folder = PackageFolder.file("Profiles/monitoring")

    @Test func theRulesAreSoundAndEachAlertIsDueWhereItIsToBe() async throws {
        for arguments in [["check", "rules", "alerts.yml"], ["test", "rules", "alerts.test.yml"]] {
            let file = Self.folder.appending(path: arguments[2]).path
            let end = try await ExternalTool.promtool.run(arguments.dropLast() + [file])
            #expect(end.status == 0, "\(end.output)\(end.errors)")
        }
    }

    @Test func everyAlertIsTested() throws {
        let rules = try String(contentsOf: Self.folder.appending(path: "alerts.yml"), encoding: .utf8)
        let tests = try String(contentsOf: Self.folder.appending(path: "alerts.test.yml"), encoding: .utf8)
        let alerts = rules.matches(of: /alert: (\w+)/).map { String($0.1) }
        #expect(alerts.count >= 12)
        for alert in alerts {
            #expect(tests.contains("alertname: \(alert)\n"), "\(alert) never fires in alerts.test.yml")
        }
    }

    /// As the textfile collector of a node exporter would read it.
    @Test func promtoolHasNothingAgainstAnExportedResult() async throws {
        let podswarm = try PodswarmExecutable.path()
        let command =
            "'\(podswarm)' result export '\(GoldenFile.result.path)' --format prometheus"
            + " | '\(try ExternalTool.promtool.path())' check metrics"
        let end = try await ExternalTool.bash.run(["-o", "pipefail", "-c", command])
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        #expect(end.output + end.errors == "")
    }

    /// The collector itself is not there: its scrape configuration is Prometheus's, and its pipelines are looked at.
    @Test func theCollectorScrapesAsPrometheusDoes() async throws {
        let script = """
            import sys, yaml
            with open(sys.argv[1]) as file: collector = yaml.safe_load(file)
            with open(sys.argv[2]) as file: prometheus = yaml.safe_load(file)
            scrape = collector["receivers"]["prometheus"]["config"]
            pipeline = collector["service"]["pipelines"]["metrics"]
            for kind in ("receivers", "processors", "exporters"):
                assert set(pipeline[kind]) == set(collector[kind]), kind
            assert pipeline["processors"][0] == "memory_limiter" and pipeline["processors"][-1] == "batch"
            ours, theirs = scrape["scrape_configs"][0], prometheus["scrape_configs"][0]
            assert ours["static_configs"] == theirs["static_configs"] and ours["job_name"] == theirs["job_name"]
            assert ours["scrape_interval"] == prometheus["global"]["scrape_interval"]
            yaml.safe_dump(scrape, sys.stdout)
            """
        let files = ["otel-collector.yaml", "prometheus.yml"].map { Self.folder.appending(path: $0).path }
        let folder = try TemporaryFolder()
        let scrape = try folder.write(try await ExternalTool.python(script, files), to: "prometheus.yml")
        let end = try await ExternalTool.promtool.run(["check", "config", scrape])
        #expect(end.status == 0, "\(end.output)\(end.errors)")
    }
}
