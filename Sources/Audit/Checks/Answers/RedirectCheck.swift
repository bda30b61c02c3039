import Audience
import Rulebook

/// Over how many redirects an answer came, and from whom.
struct RedirectCheck: AnswerCheck {
    /// More than one to the session's place and one to the media is a chain.
    private static let ordinaryRedirects = 2

    func examine(_ examination: borrowing Examination) {
        let hops = examination.answer.redirects
        if examination.answer.failure?.cause == .redirectLimit {
            examination.found(
                .redirectLoop,
                expected: "an answer within \(hops) redirects",
                observed: "\(hops) redirects, and status \(examination.answer.status) to yet another place",
                breakSlot: examination.nearSlot
            )
            return
        }
        guard hops > 0, examination.answer.failure == nil else { return }
        if hops > Self.ordinaryRedirects {
            examination.found(
                .redirectChain,
                expected: "at most \(Self.ordinaryRedirects) redirects before an answer",
                observed: "\(hops) redirects",
                breakSlot: examination.nearSlot
            )
        }
        // Segments are sent on to the host of the media by design (live pod serving API, "segment"). Whoever comes first asks
        // where to go, and has the time: a choice between CDNs, regions or sessions is made there.
        let role = examination.answer.role
        guard examination.answer.leftHost, !role.asksForMedia, !role.isFirst else { return }
        examination.found(
            .redirectToOtherHost,
            expected: "an answer of the host that was asked",
            observed: "an answer after a redirect to another host",
            breakSlot: examination.nearSlot
        )
    }
}

extension ViewerRole {
    fileprivate var asksForMedia: Bool { self == .segment || self == .podSegment || self == .part }

    /// True for the addresses that the profile gives, which open a session and the channel.
    fileprivate var isFirst: Bool { self == .registration || self == .multivariant }
}
