// Rules shared by several rows.
extension FindingRule {
    static let onePodForEachBreak = page(
        .interstitialGuide,
        "the identifier of a pod is unique for each break, and the same for all viewers",
        quotation: """
            recupera el identificador del pod de una fuente que proporcione valores únicos para cada pausa publicitaria, \
            sincronizados para todos los usuarios que miran la transmisión en vivo
            """
    )

    static let podFillsItsBreak = page(
        .podTokens,
        "pd is the duration of the break",
        quotation: "The duration in milliseconds of the ad break."
    )
    .and(
        .assumed(
            "a pod may be 100 ms off, and a frame at 24 a second more for each of its ads",
            .podTolerance,
            .adTolerance
        )
    )

    static let segmentsRedirect = page(
        .podServing,
        "the addresses of segments redirect to the media",
        quotation: "The segments are dynamic URLs, redirecting to either content or ad media files."
    )
}
