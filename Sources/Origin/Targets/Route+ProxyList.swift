extension Route {
    /// The interstitial's list if the query names one, otherwise the route itself.
    func resolved(_ query: FormFields) -> Route {
        guard case .target(.proxyList) = self else { return self }
        return query[InterstitialName.interstitialParameter].map { .interstitial(.list(identifier: $0)) } ?? self
    }
}
