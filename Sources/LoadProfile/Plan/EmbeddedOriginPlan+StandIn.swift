extension EmbeddedOriginPlan {
    /// A plain origin in place of a target that is not asked.
    package init(
        standingInFor shape: EmbeddedShape,
        reporting: MediaTailorReporting?,
        segmentDuration: Duration,
        adDuration: Duration,
        announcesBreaks: Bool,
        sessionValidity: Duration,
        metadataPollingFrequency: Duration,
        session: SessionPlan
    ) {
        self.init(
            usesTLS: false,
            segmentDuration: segmentDuration,
            windowSegments: 6,
            variantCount: 2,
            adDuration: adDuration,
            announcesBreaks: announcesBreaks,
            sessionValidity: sessionValidity,
            metadataPollingFrequency: metadataPollingFrequency,
            faultPlanPath: nil,
            shape: shape,
            reporting: reporting,
            session: session
        )
    }
}
