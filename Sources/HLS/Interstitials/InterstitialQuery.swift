/// Query parameters of interstitial requests (bis-22 appendix D.4).
///
/// Parameters from the packager, such as `_HLS_interstitial_id`, are kept.
package struct InterstitialQuery: Hashable, Sendable {
    /// The client's primary playback session, on every interstitial request.
    package static let primaryIDParameter = "_HLS_primary_id"
    /// Seconds into the interstitial at which a client joins, on asset list requests only.
    package static let startOffsetParameter = "_HLS_start_offset"

    /// Nil for a player that does not send it.
    package var primaryID: String?
    /// Start within the interstitial, for a client that starts live playback inside of it; nil otherwise.
    package var startOffset: Duration?

    package init(primaryID: String? = nil, startOffset: Duration? = nil) {
        self.primaryID = primaryID
        self.startOffset = startOffset
    }

    /// The URL of a request for an asset: X-ASSET-URI, or an asset of a list.
    package func assetURL(_ uri: String) -> String {
        url(uri, startOffset: nil)
    }

    package func assetListURL(_ uri: String) -> String {
        url(uri, startOffset: startOffset)
    }

    /// The URL of the first request that an interstitial's content needs.
    package func url(of content: Interstitial.Content) -> String {
        switch content {
        case .asset(let uri): assetURL(uri)
        case .assetList(let uri): assetListURL(uri)
        }
    }

    private func url(_ uri: String, startOffset: Duration?) -> String {
        // The content of a data: URI is not a query.
        guard primaryID != nil || startOffset != nil, !uri.hasPrefix("data:") else {
            return uri
        }
        var query = URLQuery(of: uri)
        if let primaryID {
            query.set(Self.primaryIDParameter, to: primaryID)
        }
        if let startOffset {
            query.set(Self.startOffsetParameter, to: Self.secondsText(startOffset))
        }
        return query.url
    }

    /// Seconds rounded to the millisecond, without trailing zeros, as players write the offset.
    static func secondsText(_ duration: Duration) -> String {
        let microseconds = duration.wholeMicroseconds
        let milliseconds = microseconds / 1_000 + (microseconds % 1_000 >= 500 ? 1 : 0)
        var text = SecondsText.decimal(milliseconds.multipliedReportingOverflow(by: 1_000).partialValue)
        while text.hasSuffix("0") {
            text.removeLast()
        }
        if text.hasSuffix(".") {
            text.removeLast()
        }
        return text
    }
}
