import Rulebook
import Testing

@Suite struct WireNameTests {
    @Test func requestKindsAreSpelledAsTheOriginSpellsThem() {
        let names = [
            "registration", "multivariant", "playlist", "segment", "pod_manifest", "pod_playlist", "pod_segment",
            "metadata", "verification", "asset_list", "asset_manifest", "blocking_playlist", "part", "steering",
            "beacon", "session_update",
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
            "redirect_limit", "local_resources", "abandoned", "other_failure",
        ]
        #expect(TransportFailure.allCases.map(\.code) == codes)
    }

    @Test func breakOutcomesKeepTheirNames() {
        let failures = [
            "pod_manifest_failed", "pod_playlist_failed", "pod_empty", "not_a_playlist", "deadline_missed",
            "segment_failed", "unauthorised", "asset_list_failed", "asset_list_malformed", "asset_list_empty",
            "asset_failed", "no_session", "no_playlist", "player_gave_up", "announced_too_late", "not_listed",
        ]
        let skips = [
            "picture_in_picture_lost", "picture_in_picture_deferred", "left_before", "joined_late",
            "during_ads", "jumped_over",
        ]
        #expect(BreakFailure.allCases.map(\.rawValue) == failures)
        #expect(SkipReason.allCases.map(\.rawValue) == skips)
    }

    @Test func findingsKeepTheirCodesAndSeverities() {
        let rows = FindingCode.table.map { "\($0.code) \($0.severity.rawValue)" }
        #expect(
            rows == [
                "access_refused broken",
                "asset_duration_missing wrong",
                "asset_duration_wrong wrong",
                "asset_list_empty suspect",
                "asset_list_invalid broken",
                "asset_list_mismatch broken",
                "blocking_reload_ignored wrong",
                "break_announced_late suspect",
                "break_announcement_differs wrong",
                "break_announcement_missing broken",
                "break_exit_update_wrong wrong",
                "break_identifier_backwards wrong",
                "break_identifier_reused broken",
                "break_identifier_skipped suspect",
                "break_identifier_split broken",
                "break_start_differs broken",
                "channel_unavailable broken",
                "compression_missing advice",
                "content_coding_invalid broken",
                "content_length_invalid wrong",
                "content_length_with_transfer_coding wrong",
                "content_type_wrong suspect",
                "date_range_changed wrong",
                "date_range_conflict wrong",
                "date_range_invalid wrong",
                "date_range_overlap wrong",
                "date_range_reused wrong",
                "date_range_vanished wrong",
                "date_range_without_program_date wrong",
                "delta_mismatch broken",
                "discontinuity_changed wrong",
                "discontinuity_sequence_missing advice",
                "discontinuity_sequence_wrong wrong",
                "early_return_missed wrong",
                "edge_content_differs wrong",
                "edge_time_travel wrong",
                "empty_pod broken",
                "encryption_invalid wrong",
                "endlist_on_live suspect",
                "foreign_stream_id broken",
                "header_changed wrong",
                "interstitial_invalid wrong",
                "live_playlist_typed wrong",
                "live_window_short wrong",
                "media_id_unlisted wrong",
                "media_sequence_backwards broken",
                "media_sequence_jump suspect",
                "metadata_lag suspect",
                "not_a_playlist broken",
                "part_hold_back_short advice",
                "partial_content_unasked wrong",
                "partial_segment_invalid wrong",
                "ping_doubled wrong",
                "ping_lost wrong",
                "playlist_form_loose advice",
                "playlist_shrunk wrong",
                "playlist_stale wrong",
                "playlist_unavailable wrong",
                "pod_changed_on_repeat wrong",
                "pod_ladder_differs wrong",
                "pod_mismatch broken",
                "pod_not_found broken",
                "pod_not_found_cached wrong",
                "pod_not_found_healed suspect",
                "pod_overfilled wrong",
                "pod_part_unreachable wrong",
                "pod_rendition_mismatch wrong",
                "pod_unavailable broken",
                "pod_underfilled wrong",
                "program_date_inconsistent wrong",
                "program_date_jump wrong",
                "program_date_missing advice",
                "redirect_chain suspect",
                "redirect_loop broken",
                "redirect_to_other_host suspect",
                "registration_failed broken",
                "registration_without_stream_id broken",
                "rendition_date_range_differs wrong",
                "rendition_discontinuity_differs wrong",
                "rendition_edge_lags suspect",
                "rendition_encryption_differs suspect",
                "rendition_group_invalid wrong",
                "rendition_program_date_differs suspect",
                "rendition_program_date_missing wrong",
                "rendition_server_control_differs wrong",
                "rendition_target_duration_differs wrong",
                "rendition_type_differs wrong",
                "segment_attributes_changed wrong",
                "segment_changed broken",
                "segment_duration_changed wrong",
                "segment_duration_short advice",
                "segment_unreachable wrong",
                "server_control_invalid wrong",
                "session_expired broken",
                "slate_only suspect",
                "splice_invalid wrong",
                "splice_orphaned wrong",
                "stale_pod wrong",
                "start_offset_near_edge suspect",
                "steering_unavailable wrong",
                "stitched_mismatch wrong",
                "tag_malformed wrong",
                "tag_misplaced wrong",
                "tag_missing wrong",
                "tag_repeated wrong",
                "target_duration_changed wrong",
                "target_duration_exceeded wrong",
                "target_duration_loose advice",
                "token_expired wrong",
                "token_expiry_in_milliseconds wrong",
                "token_of_another_break wrong",
                "variable_undefined wrong",
                "variant_incomplete advice",
                "verification_deferred advice",
                "verification_not_found wrong",
                "version_too_low wrong",
                "window_explosion suspect",
            ]
        )
    }

    @Test func everyFindingExplainsItself() {
        for finding in FindingCode.table {
            #expect(
                !finding.meaning.isEmpty && !finding.rule.bases.isEmpty && !finding.likelyCauses.isEmpty,
                "\(finding.code)"
            )
            #expect(FindingCode.named(finding.code) == finding)
        }
        #expect(FindingCode.named("no_such_finding") == nil)
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
