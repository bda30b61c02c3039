import Foundation
import Rehearsal
import Results
import TestSupport
import Testing

@testable import Report

/// The dashboards and the rules of `Profiles/monitoring` ask for what is there.
@Suite struct MonitoringTests {
    private static let folder = "Profiles/monitoring"
    private static let dashboards = ["grafana-dashboard.json", "grafana-nights.json", "grafana-shards.json"]

    private func dashboard(_ name: String) throws -> [String: Any] {
        let data = try Data(contentsOf: PackageFolder.file("\(Self.folder)/\(name)"))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// Every text of the file under one of the keys, at any depth.
    private func texts(_ keys: Set<String>, in value: Any) -> [String] {
        if let array = value as? [Any] { return array.flatMap { texts(keys, in: $0) } }
        guard let object = value as? [String: Any] else { return [] }
        return object.flatMap { key, value in
            keys.contains(key) ? (value as? String).map { [$0] } ?? texts(keys, in: value) : texts(keys, in: value)
        }
    }

    /// What a run serves, what one of several shards does besides, and what a finished result is exported as.
    private static func served() throws -> [Exposition.Sample] {
        var shards = LiveExample.filled()
        let states: [FollowedRun.State] = [.awaited, .running, .ended, .lost("")]
        shards.shards = states.enumerated().map { LiveShard(index: $0, state: $1) }
        let result = ResultMetrics(document: try LiveExample.document()).render()
        return try [shards.prometheusText(), result].flatMap { try Exposition($0).samples }
    }

    private static func asked(in text: String) -> Set<String> {
        Set(text.matches(of: /podswarm_[a-z_]+/).map { String($0.output) })
    }

    @Test(arguments: dashboards) func everyMetricThatADashboardAsksForIsServed(name: String) throws {
        let expressions = texts(["expr", "definition", "query"], in: try dashboard(name))
        let asked = Self.asked(in: expressions.joined(separator: " "))
        #expect(asked.count > (name == "grafana-dashboard.json" ? 20 : 6))
        #expect(asked.subtracting(try Self.served().map(\.name)) == [])
    }

    @Test(arguments: ["alerts.yml", "alerts.test.yml"]) func everyMetricOfTheRulesIsServed(name: String) throws {
        let text = try String(contentsOf: PackageFolder.file("\(Self.folder)/\(name)"), encoding: .utf8)
        let asked = Self.asked(in: text)
        #expect(asked.count > 9)
        #expect(asked.subtracting(try Self.served().map(\.name)) == [])
        try expectServed(labelsOf: [text])
    }

    @Test(arguments: dashboards) func everyLabelValueThatADashboardAsksForIsServed(name: String) throws {
        try expectServed(labelsOf: texts(["expr"], in: try dashboard(name)))
    }

    /// A label value that nothing has would leave a panel empty and an alert silent for ever.
    private func expectServed(labelsOf expressions: [String]) throws {
        let served = try Self.served()
        for expression in expressions {
            for match in expression.matches(
                of: /(kind|result|event|reason|state|outcome|severity|statistic|code)=~?"([a-z0-9_|]+)"/
            ) {
                for value in match.2.split(separator: "|") where !value.hasPrefix("http_") {
                    #expect(served.contains { $0.labels[String(match.1)] == String(value) }, "\(match.1)=\(value)")
                }
            }
        }
    }

    @Test(arguments: dashboards) func panelsHaveNumbersOfTheirOwnUnitsAndDoNotOverlap(name: String) throws {
        let panels = try #require(try dashboard(name)["panels"] as? [[String: Any]])
        #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
        var cells: Set<[Int]> = []
        for panel in panels {
            let place = try #require(panel["gridPos"] as? [String: Int])
            let (x, y, w, h) = (place["x"] ?? 0, place["y"] ?? 0, place["w"] ?? 0, place["h"] ?? 0)
            #expect(x + w <= 24)
            for column in x..<(x + w) { for line in y..<(y + h) { #expect(cells.insert([column, line]).inserted) } }
            try expectUnits(of: panel)
        }
    }

    /// The unit of a panel is that of the metrics that it shows.
    private func expectUnits(of panel: [String: Any]) throws {
        let unit = texts(["unit"], in: panel).first
        let expressions = texts(["expr"], in: panel)
        guard let unit, !expressions.isEmpty, panel["type"] as? String != "heatmap" else { return }
        for expression in expressions where !expression.contains("_bucket") && !expression.contains(" / ") {
            let isTime = expression.contains("_seconds{") && !expression.contains("_seconds_")
            if isTime { #expect(unit == "s", "\(panel["title"] ?? "")") }
            if expression.contains("_ratio{") { #expect(unit == "percentunit", "\(panel["title"] ?? "")") }
        }
    }

    /// Two dashboards of one number would overwrite each other.
    @Test func dashboardsHaveNamesOfTheirOwn() throws {
        let boards = try Self.dashboards.map { try dashboard($0) }
        #expect(Set(boards.compactMap { $0["uid"] as? String }).count == boards.count)
        #expect(Set(boards.compactMap { $0["title"] as? String }).count == boards.count)
    }
}
