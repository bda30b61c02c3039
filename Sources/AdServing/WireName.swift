/// Wire names of Google's pod serving: the only place where they are spelled.
///
/// Sources: the Ad Manager DAI pages "Live pod serving API", "Live stream client API" and "HLS pod manifest", and the IMA guide
/// to client-side HLS interstitials.
package enum WireName {
    package static let registrationPrefix = "/ssai/pods/api/v1/network/"
    package static let podManifestPrefix = "/linear/pods/v1/hls/network/"
    package static let customAsset = "/custom_asset/"
    package static let registrationSuffix = "/stream"
    package static let playlistSuffix = ".m3u8"
    package static let pod = "pod"
    package static let adBreakID = "ad_break_id"

    package static let streamIDParameter = "stream_id"
    /// Milliseconds.
    package static let podDurationParameter = "pd"
    package static let authTokenParameter = "auth-token"
    package static let customParametersParameter = "cust_params"
    package static let scte35Parameter = "scte35"

    /// Sent to podswarm's own origin only.
    package static let viewerHeader = "x-podswarm-viewer"

    /// Warning about a pod whose break is created all the same.
    ///
    /// Podswarm's assumption: no accessible page of Google's names it.
    package static let warningHeader = "X-Ad-Manager-Dai-Warning"

    package static let formContentType = "application/x-www-form-urlencoded"

    package enum Session {
        package static let streamID = "stream_id"
        package static let manifestFormat = "manifest_format"
        package static let mediaVerificationURL = "media_verification_url"
        package static let metadataURL = "metadata_url"
        package static let sessionUpdateURL = "session_update_url"
        /// Seconds.
        package static let pollingFrequency = "polling_frequency"
        package static let validFor = "valid_for"
        package static let validUntil = "valid_until"
        package static let podManifestURL = "pod_manifest_url"
    }

    /// Prefix of media ids wherever an ad carries them (IMA DAI SDK, "Handle timed metadata in linear DAI streams").
    package static let mediaIDPrefix = "google_"

    package enum Metadata {
        package static let tags = "tags"
        package static let ads = "ads"
        package static let adBreaks = "ad_breaks"
        package static let ad = "ad"
        package static let adBreakID = "ad_break_id"
        package static let type = "type"
        package static let sequence = "seq"
        /// Seconds.
        package static let duration = "duration"
        package static let title = "title"
        package static let clickThroughURL = "clickthrough_url"
        package static let slate = "slate"
        package static let pollingFrequency = "polling_frequency"
    }

    package enum Token {
        package static let customAssetKey = "custom_asset_key"
        package static let expiry = "exp"
        package static let networkCode = "network_code"
        package static let podID = "pod_id"
        package static let adBreakID = "ad_break_id"
        package static let podDuration = "pd"
        package static let hmac = "hmac"
    }

    package static let jsonContentType = "application/json"

    package enum MediaTailor {
        package static let masterPath = "/v1/master/"
        package static let sessionPath = "/v1/session/"
        package static let insertionModeParameter = "aws.insertionMode"
        package static let guided = "GUIDED"
        package static let reportingModeParameter = "aws.reportingMode"
        package static let sessionIDParameter = "aws.sessionId"
        package static let adsPrefix = "ads."
        package static let manifestPrefix = "manifest."
        package static let manifestURL = "manifestUrl"
        package static let trackingURL = "trackingUrl"
    }
}
