import Foundation
import TestSupport

/// A real Prometheus that scrapes one target every second, in a folder of its own.
struct PrometheusServer: Sendable {
    struct Series: Decodable, Sendable {
        var labels: [String: String]
        var value: Double

        private enum CodingKeys: String, CodingKey {
            case labels = "metric"
            case value
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            labels = try container.decode([String: String].self, forKey: .labels)
            var pair = try container.nestedUnkeyedContainer(forKey: .value)
            _ = try pair.decode(Double.self)
            value = Double(try pair.decode(String.self)) ?? .nan
        }
    }

    private struct Answer: Decodable {
        struct Content: Decodable {
            var result: [Series]
        }

        var status: String
        var data: Content
    }

    let base: String

    /// Starts a server that scrapes a target, given as host and port, hands it to `body`, and stops it whatever happens.
    static func scraping<Result: Sendable>(
        _ target: String,
        _ body: (PrometheusServer) async throws -> Result
    ) async throws -> Result {
        let folder = try TemporaryFolder()
        let configuration = try folder.write(
            """
            global: {scrape_interval: 1s, scrape_timeout: 1s}
            scrape_configs:
              - job_name: podswarm
                static_configs: [{targets: ["\(target)"]}]

            """,
            to: "prometheus.yml"
        )
        let port = try LoopbackPort(backlog: nil, mayBeBoundAgain: true)
        let child = try ChildProcess(
            try ExternalTool.prometheus.path(),
            [
                "--config.file=\(configuration)", "--storage.tsdb.path=\(folder.path)/data",
                "--web.listen-address=127.0.0.1:\(port.number)", "--log.level=error",
            ]
        )
        let server = PrometheusServer(base: "http://127.0.0.1:\(port.number)")
        return try await child.stopped {
            try await child.wait(for: "readiness") { _ in
                guard port.isServed else { return false }
                return (try? await PageClient(base: server.base).get("/-/ready"))?.status == 200
            }
            return try await body(server)
        }
    }

    func query(_ expression: String) async throws -> [Series] {
        var components = URLComponents()
        components.queryItems = [URLQueryItem(name: "query", value: expression)]
        // A plus sign would arrive as a space.
        let query = (components.percentEncodedQuery ?? "").replacing("+", with: "%2B")
        let body = try await PageClient(base: base).get("/api/v1/query?\(query)").body
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(body.utf8)), answer.status == "success"
        else { throw Obstacle("\(expression): \(body)") }
        return answer.data.result
    }
}
