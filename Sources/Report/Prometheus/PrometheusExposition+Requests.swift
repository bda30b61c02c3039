import Recording
import Results
import Rules

extension PrometheusExposition {
    func writeRequests(to text: inout PrometheusText) {
        text.family(
            "podswarm_requests_total",
            .counter,
            "Finished requests by kind and outcome: a status, or what prevented an answer.",
            RequestKind.allCases.flatMap { kind in
                outcomes(of: kind).map {
                    .init(labels: [("kind", kind.name), ("outcome", $0.key)], value: .count($0.value))
                }
            }
        )
        byKind(
            "podswarm_request_errors_total",
            "Requests that count against the target.",
            run.totals.errorCount(of:),
            to: &text
        )
        byKind(
            "podswarm_requests_repeated_total",
            "Requests sent again because a connection that was kept open turned out to be closed.",
            run.totals.requests.repeated,
            to: &text
        )
        byKind(
            "podswarm_response_body_bytes_total",
            "Bytes of bodies received.",
            run.totals.requests.bodyBytes,
            to: &text
        )
        byKind(
            "podswarm_connections_opened_total",
            "Connections opened.",
            run.totals.requests.newConnections,
            to: &text
        )
    }

    /// Distributions by kind: response is the viewer's wait, service is the target's part, lateness the generator's.
    func writeLatencies(to text: inout PrometheusText) {
        let families: [(LatencyMetric, String)] = [
            (.response, "From when a request was due to its complete answer."),
            (.service, "From when a request was sent to its complete answer."),
            (
                .lateness,
                "From when a request was due to when it was sent, without connecting: the generator's own delay."
            ),
        ]
        for (metric, help) in families {
            text.family(
                "podswarm_request_\(metric.name)_seconds",
                .histogram,
                help,
                RequestKind.allCases.flatMap { kind in
                    PrometheusHistogram(run.totals.latency(kind, metric)).samples([("kind", kind.name)])
                }
            )
        }
        text.single(
            "podswarm_durations_out_of_range_total",
            .counter,
            "Durations above one hour or below zero, which no histogram holds.",
            .count(run.totals.latenciesAboveRange &+ run.totals.latenciesBelowZero)
        )
    }

    private func byKind(
        _ name: String,
        _ help: String,
        _ count: (RequestKind) -> UInt64,
        to text: inout PrometheusText
    ) {
        let samples = RequestKind.allCases.map {
            PrometheusText.Sample(labels: [("kind", $0.name)], value: .count(count($0)))
        }
        text.family(name, .counter, help, samples)
    }

    /// Counts by outcome, in order; an unknown status counts for its class, so that a target cannot multiply the series.
    private func outcomes(of kind: RequestKind) -> [(key: String, value: UInt64)] {
        // A series that exists from the start has a rate from its first request on.
        let none: [String: UInt64] = ["http_200": 0]
        return run.totals.requests.outcomesByCode(of: kind).reduce(into: none) {
            $0[Self.bounded($1.key), default: 0] &+= $1.value
        }
        .sorted { $0.key < $1.key }
    }

    static func bounded(_ outcome: String) -> String {
        guard outcome.hasPrefix("http_"), let status = Int(outcome.dropFirst(5)) else { return outcome }
        if knownStatuses.contains(status) { return outcome }
        return (100...599).contains(status) ? "http_\(status / 100)xx" : "http_other"
    }

    /// From IANA's "HTTP Status Code Registry": the codes that a server of playlists may send.
    private static let knownStatuses: Set<Int> = [
        200, 201, 202, 203, 204, 206, 300, 301, 302, 303, 304, 307, 308, 400, 401, 402, 403, 404, 405, 406, 407, 408,
        409, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 425, 426, 428, 429, 431, 451, 500, 501, 502, 503, 504,
        505, 507, 508, 511,
    ]
}
