/// The ping that tells the ad server that a moment of an ad was reached.
package enum MediaVerification {
    /// What the server says about a ping (Ad Manager, "Live stream client API").
    package enum Meaning: String, Hashable, Sendable {
        /// 204.
        case recorded
        /// 202: counted later.
        case accepted
        /// 404: the media id is wrong, has been sent before, or has expired.
        case unknown
        /// 409: somebody else has sent it, which takes nothing from anybody (Ad Manager, "Manage DAI livestreams").
        case sentByOthers
        case failed
    }

    /// The session's verification URL with the media id appended.
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
