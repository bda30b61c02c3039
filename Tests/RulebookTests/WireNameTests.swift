import Rules
import TestSupport
import Testing

@Suite struct WireNameTests {
    @Test func requestKindsAreSpelledAsTheOriginSpellsThem() {
        let names = [
            "registration", "multivariant", "playlist", "segment", "pod_manifest", "pod_playlist", "pod_segment",
            "metadata", "verification", "asset_list", "asset_manifest", "blocking_playlist", "part", "steering",
            "beacon", "session_update", "key", "preflight",
        ]
        #expect(RequestKind.allCases.map(\.name) == names)
        #expect(names.map { RequestKind(name: $0) } == RequestKind.allCases)
        #expect(RequestKind(name: "podManifest") == nil)
    }

    @Test func theCountsThatSamplesAreLaidOutByAreRight() {
        #expect(Carrier.count == Carrier.allCases.count)
        #expect(LatencyMetric.count == LatencyMetric.allCases.count)
        #expect(TransportFailure.count == TransportFailure.allCases.count)
    }

    @Test func latencyMetricsKeepTheirNames() {
        let names = ["lateness", "service", "response", "first_byte", "connect", "tls", "handling"]
        #expect(LatencyMetric.allCases.map(\.name) == names)
        #expect(names.map { LatencyMetric(name: $0) } == LatencyMetric.allCases)
    }

    @Test func failuresKeepTheirCodes() {
        let codes = [
            "dns_failed", "connect_refused", "connect_timeout", "connect_failed", "tls_failed", "first_byte_timeout",
            "total_timeout", "connection_reset", "truncated", "protocol_error", "body_too_large", "unauthorised_host",
            "redirect_limit", "local_resources", "abandoned", "other_failure", "cors_refused", "proxy_unresolved",
            "proxy_unreachable", "proxy_timeout", "proxy_unauthorised", "proxy_refused", "proxy_broken",
        ]
        #expect(TransportFailure.allCases.filter(\.isOfProxy).map(\.code) == codes.filter { $0.hasPrefix("proxy_") })
        #expect(TransportFailure.allCases.map(\.code) == codes)
    }

    @Test func breakOutcomesKeepTheirNames() {
        let failures = [
            "pod_manifest_failed", "pod_playlist_failed", "pod_empty", "not_a_playlist", "deadline_missed",
            "own_line", "segment_failed", "unauthorised", "asset_list_failed", "asset_list_malformed",
            "asset_list_empty",
            "asset_failed", "no_session", "no_playlist", "player_gave_up", "announced_too_late", "not_listed",
        ]
        let skips = [
            "picture_in_picture_lost", "picture_in_picture_deferred", "left_before", "joined_late",
            "during_ads", "jumped_over",
        ]
        #expect(BreakFailure.allCases.map(\.rawValue) == failures)
        #expect(SkipReason.allCases.map(\.rawValue) == skips)
    }

    @Test func findingsKeepTheirCodesAndSeverities() throws {
        let rows = FindingCode.table.map { "\($0.code) \($0.severity.rawValue)\n" }
        try GoldenFile.expect(rows.joined(), at: "Tests/RulebookTests/findings.txt")
    }

    @Test func everyFindingExplainsItself() {
        for finding in FindingCode.table {
            #expect(
                !finding.meaning.isEmpty && !finding.rule.bases.isEmpty && !finding.likelyCauses.isEmpty,
                "\(finding.code)"
            )
            #expect(FindingCode(name: finding.code) == finding)
        }
        #expect(FindingCode(name: "no_such_finding") == nil)
    }

    @Test func eventCountersKeepTheirNames() {
        let events = ViewerCounter.allCases.map(\.name).filter { $0.hasPrefix("events_") }
        #expect(
            events == [
                "events_scheduled", "events_started", "events_finished", "events_cut_short", "events_cancelled",
                "events_failed", "events_skipped", "events_left", "events_restricted", "events_changed",
            ]
        )
    }

    @Test func counterNamesAreDistinct() {
        #expect(Set(ViewerCounter.allCases.map(\.name)).count == ViewerCounter.allCases.count)
    }

    @Test(arguments: [
        (Outcome.status(200), "http_200", true, false),
        (.status(299), "http_299", true, false),
        (.status(199), "http_199", false, true),
        (.status(302), "http_302", false, true),
        (.status(404), "http_404", false, true),
        (.status(503), "http_503", false, true),
        (.failure(.connectRefused), "connect_refused", false, true),
        (.failure(.totalTimeout), "total_timeout", false, true),
        (.failure(.corsRefused), "cors_refused", false, true),
        (.failure(.abandoned), "abandoned", false, false),
        (.failure(.unauthorisedHost), "unauthorised_host", false, false),
        (.failure(.localResources), "local_resources", false, false),
    ])
    func outcomesAreJudged(outcome: Outcome, code: String, isSuccess: Bool, isError: Bool) {
        #expect(outcome.code == code)
        #expect(outcome.isSuccess == isSuccess)
        #expect(outcome.isError == isError)
    }

    @Test func severitiesAreOrdered() {
        #expect([Severity.broken, .advice, .wrong, .suspect].sorted() == [.advice, .suspect, .wrong, .broken])
    }
}
