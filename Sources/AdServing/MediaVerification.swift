import Values

/// Ping by which a player tells the ad server that it reached a moment of an ad.
package enum MediaVerification {
    /// Ad Manager, "Live stream client API".
    package enum Meaning: String, Hashable, Sendable {
        case recorded
        /// 202: counted later.
        case accepted
        /// 404: the media id is wrong, has been sent before, or has expired.
        case unknown
        /// 409: another client has sent it, which costs no one a count (Ad Manager, "Manage DAI livestreams").
        case sentByOthers
        case failed
    }

    package static func url(base: String, mediaID: String) -> String {
        base + (base.hasSuffix("/") ? "" : "/") + PercentEncoding.encode(mediaID)
    }

    package static func meaning(status: Int) -> Meaning {
        switch status {
        case 204: .recorded
        case 202: .accepted
        case 404: .unknown
        case 409: .sentByOthers
        default: .failed
        }
    }
}
