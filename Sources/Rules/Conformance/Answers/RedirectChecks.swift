/// Checks the redirects before an answer.
package enum RedirectChecks {
    /// One to the session's location and one to the media; more is a chain.
    private static let ordinary = 2

    /// `endedByLimit`: the last answer is one redirect too many; `mayLeaveHost`: a redirect may choose a CDN, region or media
    /// host.
    package static func violations(
        redirects: Int,
        endedByLimit: Bool,
        leftHost: Bool,
        mayLeaveHost: Bool,
        status: Int,
        reason: String = ""
    ) -> [Violation] {
        guard !endedByLimit else {
            let expected = "an answer within \(redirects) redirects"
            let observed = "\(redirects) redirects, and status \(status) to yet another place\(reason)"
            return [Violation(.redirectLoop, expected: expected, observed: observed)]
        }
        var violations: [Violation] = []
        if redirects > ordinary {
            let expected = "at most \(ordinary) redirects before an answer"
            violations.append(Violation(.redirectChain, expected: expected, observed: "\(redirects) redirects"))
        }
        if redirects > 0, leftHost, !mayLeaveHost {
            let observed = "an answer after a redirect to another host"
            let expected = "an answer of the host that was asked"
            violations.append(Violation(.redirectToOtherHost, expected: expected, observed: observed))
        }
        return violations
    }
}
