enum RedirectFault {
    /// 302 to another path with the true answer, or to an unauthorised host (`to`).
    static let redirect = FaultKind(
        "redirect",
        kinds: RequestKind.known.filter { $0 != .registration },
        parameters: [.to]
    ) { fault, _, effects in
        effects.redirection = fault.redirection
    }
}
