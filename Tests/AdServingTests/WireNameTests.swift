import AdServing
import Testing

/// Client and origin share these names and could agree on a typo: each is pinned by its literal bytes.
@Suite struct WireNameTests {
    @Test(arguments: [
        (WireName.registrationPrefix, "/ssai/pods/api/v1/network/"),
        (WireName.podManifestPrefix, "/linear/pods/v1/hls/network/"),
        (WireName.customAsset, "/custom_asset/"),
        (WireName.registrationSuffix, "/stream"),
        (WireName.playlistSuffix, ".m3u8"),
        (WireName.pod, "pod"),
        (WireName.adBreakID, "ad_break_id"),
        (WireName.streamIDParameter, "stream_id"),
        (WireName.podDurationParameter, "pd"),
        (WireName.authTokenParameter, "auth-token"),
        (WireName.customParametersParameter, "cust_params"),
        (WireName.scte35Parameter, "scte35"),
        (WireName.formContentType, "application/x-www-form-urlencoded"),
        (WireName.Session.streamID, "stream_id"),
        (WireName.Session.manifestFormat, "manifest_format"),
        (WireName.Session.mediaVerificationURL, "media_verification_url"),
        (WireName.Session.metadataURL, "metadata_url"),
        (WireName.Session.sessionUpdateURL, "session_update_url"),
        (WireName.Session.pollingFrequency, "polling_frequency"),
        (WireName.Session.validFor, "valid_for"),
        (WireName.Session.validUntil, "valid_until"),
        (WireName.Session.podManifestURL, "pod_manifest_url"),
        (WireName.Metadata.tags, "tags"),
        (WireName.Metadata.ads, "ads"),
        (WireName.Metadata.adBreaks, "ad_breaks"),
        (WireName.Metadata.ad, "ad"),
        (WireName.Metadata.adBreakID, "ad_break_id"),
        (WireName.Metadata.type, "type"),
        (WireName.Metadata.sequence, "seq"),
        (WireName.Metadata.duration, "duration"),
        (WireName.Metadata.title, "title"),
        (WireName.Metadata.clickThroughURL, "clickthrough_url"),
        (WireName.Metadata.slate, "slate"),
        (WireName.Metadata.pollingFrequency, "polling_frequency"),
        (WireName.Token.customAssetKey, "custom_asset_key"),
        (WireName.Token.expiry, "exp"),
        (WireName.Token.networkCode, "network_code"),
        (WireName.Token.podID, "pod_id"),
        (WireName.Token.adBreakID, "ad_break_id"),
        (WireName.Token.podDuration, "pd"),
        (WireName.Token.hmac, "hmac"),
    ])
    func isSpelledAsDocumented(_ name: String, _ bytes: String) {
        #expect(Array(name.utf8) == Array(bytes.utf8))
    }

    @Test func trackingEventsCarryTheNamesOfTheSDK() {
        #expect(
            TrackingEvent.allCases.map(\.rawValue) == [
                "AD_BREAK_STARTED", "AD_PERIOD_STARTED", "STARTED", "FIRST_QUARTILE", "MIDPOINT", "THIRD_QUARTILE",
                "COMPLETE", "AD_PERIOD_ENDED", "AD_BREAK_ENDED",
            ]
        )
        #expect(
            TrackingEvent.allCases.map(\.metadataType) == [
                nil, nil, "start", "firstquartile", "midpoint", "thirdquartile", "complete", nil, nil,
            ]
        )
    }

    @Test(arguments: TrackingEvent.allCases)
    func metadataTypesLeadBackToTheirEvent(_ event: TrackingEvent) {
        guard let type = event.metadataType else {
            return
        }
        #expect(TrackingEvent(metadataType: type) == event)
    }

    @Test(arguments: ["progress", "", "START", "AD_BREAK_STARTED"])
    func otherTypesAreNoEvent(_ type: String) {
        #expect(TrackingEvent(metadataType: type) == nil)
    }
}
