extension Route {
    /// The route, or another one where the query asks for that.
    func resolved(_ query: FormFields) -> Route {
        guard case .target(.proxyList) = self else { return self }
        return query[InterstitialName.interstitialParameter].map { .interstitial(.list(identifier: $0)) } ?? self
    }
}
