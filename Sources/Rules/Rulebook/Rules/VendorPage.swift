/// A vendor's documentation of its product.
///
/// Quotations are word for word, in the language in which the page was read; podswarm translates those not in English.
package struct VendorPage: Equatable, Sendable {
    package let vendor: String
    package let title: String
    package let address: String
    /// Keyed by quotation.
    let translations: [String: String]

    private init(_ vendor: String, _ title: String, _ address: String, translations: [String: String] = [:]) {
        self.vendor = vendor
        self.title = title
        self.address = address
        self.translations = translations
    }
}

extension VendorPage {
    private static func google(_ title: String, _ path: String, translations: [String: String] = [:]) -> VendorPage {
        let address = path.hasPrefix("https:") ? path : "https://developers.google.com/ad-manager/" + path
        return VendorPage("Google Ad Manager", title, address, translations: translations)
    }

    static let insertionTypes = google(
        "DynamicAdInsertionType",
        "api/reference/v202505/LiveStreamEventService.DynamicAdInsertionType"
    )

    static let breakFill = google(
        "AdBreakFillType",
        "api/reference/v202411/LiveStreamEventService.AdBreakFillType"
    )

    /// The guide to breaks that a client schedules itself.
    static let interstitialGuide = google(
        "Usa anuncios intersticiales de HLS del cliente para la transmisión en vivo",
        "dynamic-ad-insertion/sdk/ios/interstitials-client-side?hl=es-419",
        translations: [
            "recupera el identificador del pod de una fuente que proporcione valores únicos para cada pausa publicitaria, "
                + "sincronizados para todos los usuarios que miran la transmisión en vivo":
                "get the pod's identifier from a source that gives values unique to each ad break, synchronised for all "
                + "users who watch the live stream"
        ]
    )

    static let podServing = google(
        "DAI Pod Serving",
        "dynamic-ad-insertion/pod-serving"
    )

    static let podTokens = google(
        "Generate a signed HMAC token",
        "dynamic-ad-insertion/api/pod-serving/live/token"
    )

    static let clientGuide = google(
        "Prepare client for pod serving redirect",
        "dynamic-ad-insertion/api/pod-serving/live/client"
    )

    /// The page above in Chinese, which explains each field of a registration.
    static let registrationFields = google(
        "Prepare client for pod serving redirect (in Chinese)",
        "https://developers.google.cn/ad-manager/dynamic-ad-insertion/api/pod-serving/live/client",
        translations: ["当前流式会话的到期时间": "the time at which the current streaming session expires"]
    )

    static let mediaVerification = google(
        "Request DAI VOD streams",
        "dynamic-ad-insertion/api/full-service/video-player-vod"
    )

    static let backupStreams = google(
        "Best practices for DAI backup streams",
        "https://support.google.com/admanager/answer/7321214"
    )

    static let slates = google(
        "Create a slate to fill content gaps",
        "https://support.google.com/admanager/answer/7292054"
    )

    static let personalisedManifests = VendorPage(
        "AWS Elemental MediaTailor",
        "AWS Elemental MediaTailor Documentation",
        "https://aws.amazon.com/documentation-overview/elemental-mediatailor"
    )

    /// Date ranges that are closed by a tag without a start.
    static let dateRangeMarkers = VendorPage(
        "AWS Elemental Live",
        "SCTE-35 ad marker EXT-X-DATERANGE",
        "https://docs.aws.amazon.com/elemental-live/latest/ug/scte-35-ad-marker-ext-x-daterange.html"
    )

    /// The rules by which a browser hands an answer to a page of another origin.
    static let corsCheck = VendorPage("WHATWG", "Fetch Standard", "https://fetch.spec.whatwg.org/#concept-cors-check")
}
