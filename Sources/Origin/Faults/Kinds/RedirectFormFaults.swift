enum RedirectFormFaults {
    private static let redirectable: [RequestKind] =
        [.podManifest, .metadata] + RequestKind.known.filter { ![.podManifest, .metadata, .registration].contains($0) }

    /// Sends a request over three redirects to its true answer; pod manifests unless `kinds` names others.
    static let redirectChain = FaultKind("redirect_chain", kinds: redirectable, defaultCount: 1) { _, _, effects in
        effects.redirection = .chain
    }

    /// Sends a request in circles.
    ///
    /// By default that of metadata, because a break can do without it; `kinds` names others.
    static let redirectLoop = FaultKind(
        "redirect_loop",
        kinds: [.metadata, .podManifest] + redirectable.dropFirst(2),
        defaultCount: 1
    ) { _, _, effects in
        effects.redirection = .loop
    }

    /// Sends a request to another name of this host, which gives the true answer; pod manifests unless `kinds` names
    /// others.
    static let redirectToOtherHost = FaultKind(
        "redirect_to_other_host",
        kinds: redirectable,
        defaultCount: 1
    ) { _, _, effects in
        effects.redirection = .otherHost
    }
}
