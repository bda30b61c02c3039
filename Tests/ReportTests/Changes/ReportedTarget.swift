import ExampleRuns
import Testing

@testable import Results

extension ReportedChange {
    private static func outage(recovery: Int64? = 12_345, abandoned: UInt64 = 120) -> OutageResult {
        OutageResult(
            beganMilliseconds: 70_000,
            endedMilliseconds: 110_000,
            requests: 9_000,
            errors: 8_999,
            retries: 8_000,
            abandoned: abandoned,
            reopened: 90,
            stoppedViewersMaximum: 100,
            requestsPerSecondBefore: 100,
            requestsPerSecondMaximum: 250,
            recoveryMilliseconds: recovery
        )
    }

    private static let warnings = #"""
        [{"kind":"registration","answers":1,"texts":[{"text":"","answers":1}]},
        {"kind":"pod_manifest","answers":1200,"texts":[{"text":"<b>bad</b>\u001b[2J splice","answers":1100}]}]
        """#

    private static let leftOut = #"""
        {"requests":1300,"hosts":[{"kind":"metadata","host":"m.example.com:8443","requests":1200,\#
        "allowed_by":"target.podServing.authorisedHosts"},{"kind":"playlist","host":"<b>","requests":1}]}
        """#

    private static func edge(_ number: Int) -> String {
        #"{"address":"192.0.2.\#(number):443","pop":"FRA","count":900,"errors":1,"#
            + #""requests":{"pod_manifest":{"count":900,"errors":1,"p99_us":\#(number * 1_000)}}}"#
    }

    private static func slow(_ kind: String, _ response: Int) -> String {
        #"{"kind":"\#(kind)","response_us":\#(response),"wall_us":5,"offset_ms":61000,"viewer":7,"outcome":"http_200","#
            + #""url":"/p","break_key":"b","address":"[2001:db8::1]:443","served":"Age: 1\u001b","#
            + #""trace_id":"0af7651916cd43dd8448eb211c80319c"}"#
    }

    static let target = [
        ReportedChange("an outage") { $0.outages = [outage()] },
        ReportedChange("an outage without a recovery") { $0.outages = [outage(recovery: nil, abandoned: 0)] },
        ReportedChange("twenty outages") { $0.outages = Array(repeating: outage(), count: 20) },
        ReportedChange("warnings of the ad server") { document in
            document.adServerWarnings = try decode([ServerWarningResult].self, from: warnings)
        },
        ReportedChange("requests that were left out") { document in
            document.leftOut = try decode(LeftOutResult.self, from: leftOut)
        },
        ReportedChange("a channel ahead") { $0.channelOffsetMicroseconds = 30_012_000 },
        ReportedChange("a channel behind") { $0.channelOffsetMicroseconds = -30_012_000 },
        ReportedChange("edges and the slowest answers", .clean) { document in
            let edges = (1...8).map(edge).joined(separator: ",")
            document.edges = try decode(EdgeResults.self, from: "{\"each\":[\(edges)],\"without_connection\":3}")
            let slowest = [slow("playlist", 5), slow("pod_manifest", 90_000), slow("pod_manifest", 80_000)]
            document.slowestAnswers = try decode([SlowAnswerResult].self, from: "[\(slowest.joined(separator: ","))]")
        },
        ReportedChange("playlists that the server holds back") { document in
            document.requests["blocking_playlist"] = document.requests["playlist"]
        },
    ]
}
