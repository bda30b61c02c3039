extension ImpressionPlan {
    /// Reads `impressions` and `impressionSink`; where both are left out, only podswarm's own origin is told of any.
    init(reading profile: ProfileSection, target: TargetPlan) {
        let word: Word? = profile.value("impressions", .choice)
        if let sink = profile.value("impressionSink", .serverURL) {
            self = .sink(sink.withoutTrailingSlash)
            return
        }
        switch word {
        case .allowed: self = .allowed
        case .withheld: self = .withheld
        case nil:
            if case .embedded = target { self = .allowed } else { self = .withheld }
        }
    }
}
