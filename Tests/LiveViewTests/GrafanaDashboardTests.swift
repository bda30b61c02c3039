import Foundation
import LiveView
import Report
import TestSupport
import Testing

@Suite struct GrafanaDashboardTests {
    private func dashboard() throws -> [String: Any] {
        let data = try Data(contentsOf: PackageFolder.file("Profiles/monitoring/grafana-dashboard.json"))
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

    @Test func everyMetricThatItAsksForIsServed() throws {
        let expressions = texts(["expr", "definition", "query"], in: try dashboard())
        let asked = Set(expressions.flatMap { $0.matches(of: /podswarm_[a-z_]+/).map { String($0.output) } })
        let served = try Exposition(LiveExample.filled().prometheusText())
        #expect(asked.count > 20)
        #expect(asked.subtracting(served.names) == [])
    }

    /// A label value that nothing has would leave a panel empty for ever.
    @Test func everyLabelValueThatItAsksForIsServed() throws {
        let served = try Exposition(LiveExample.filled().prometheusText()).samples
        for expression in texts(["expr"], in: try dashboard()) {
            for match in expression.matches(of: /(kind|result|event|reason)=~?"([a-z_|]+)"/) {
                for value in match.2.split(separator: "|") {
                    #expect(served.contains { $0.labels[String(match.1)] == String(value) }, "\(match.1)=\(value)")
                }
            }
        }
    }

    @Test func panelsHaveNumbersOfTheirOwnAndDoNotOverlap() throws {
        let panels = try #require(try dashboard()["panels"] as? [[String: Any]])
        #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
        var cells: Set<[Int]> = []
        for panel in panels {
            let place = try #require(panel["gridPos"] as? [String: Int])
            let (x, y, w, h) = (place["x"] ?? 0, place["y"] ?? 0, place["w"] ?? 0, place["h"] ?? 0)
            #expect(x + w <= 24)
            for column in x..<(x + w) {
                for line in y..<(y + h) { #expect(cells.insert([column, line]).inserted) }
            }
        }
    }
}
