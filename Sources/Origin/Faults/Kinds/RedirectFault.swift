enum RedirectFault {
    /// Answers 302: to another path that gives the true answer, or to a host that must not be loaded (`to`).
    static let redirect = FaultKind(
        "redirect",
        kinds: RequestKind.known.filter { $0 != .registration },
        parameters: [.to]
    ) { fault, _, effects in
        effects.redirection = fault.redirection
    }
}
