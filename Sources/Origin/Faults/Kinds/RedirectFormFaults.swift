enum RedirectFormFaults {
    private static let redirectable: [RequestKind] =
        [.podManifest, .metadata] + RequestKind.known.filter { ![.podManifest, .metadata, .registration].contains($0) }

    /// Three redirects to the true answer; by default for pod manifests.
    static let redirectChain = FaultKind("redirect_chain", kinds: redirectable, defaultCount: 1) { _, _, effects in
        effects.redirection = .chain
    }

    /// An endless redirect; by default for metadata, which a break does not need.
    static let redirectLoop = FaultKind(
        "redirect_loop",
        kinds: [.metadata, .podManifest] + redirectable.dropFirst(2),
        defaultCount: 1
    ) { _, _, effects in
        effects.redirection = .loop
    }

    /// A redirect to the true answer under another name of this host; by default for pod manifests.
    static let redirectToOtherHost = FaultKind(
        "redirect_to_other_host",
        kinds: redirectable,
        defaultCount: 1
    ) { _, _, effects in
        effects.redirection = .otherHost
    }
}
