import Rules
import Transport
import Viewer

/// Number of redirects before an answer, and redirects to other hosts.
struct RedirectCheck: AnswerCheck {
    /// One to the session's location and one to the media; more is a chain.
    private static let ordinaryRedirects = 2

    func examine(_ examination: borrowing Examination) {
        let hops = examination.answer.redirects
        if examination.answer.failure == .redirectLimit {
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
        // Segments are redirected to the media host by design (live pod serving API, "segment"). First requests may be
        // redirected too: a CDN, region or session is chosen there.
        let role = examination.role
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

    /// URLs from the profile, which open a session and the channel.
    fileprivate var isFirst: Bool { self == .registration || self == .multivariant }
}
