import AdServing
import Rules
import Values
import Viewer

/// Tokens in URLs from the target, checked when the URLs are requested.
struct TokenCheck: AddressCheck {
    func concerns(_ role: ViewerRole) -> Bool { role.comesFromTarget }

    func examine(
        _ url: String,
        _ role: ViewerRole,
        _ viewer: borrowing AuditedViewer,
        breakSlot: Int32?,
        at now: Instant
    ) {
        let wall = viewer.context.plan.timebase.wall(at: now)
        for mistake in AuthTokenCheck.mistakes(in: url, at: wall) {
            let (code, expected, observed) = mistake.finding
            viewer.found(
                code,
                url: url,
                expected: expected,
                observed: observed,
                breakSlot: breakSlot ?? viewer.breakSlot(nearTo: wall),
                at: now
            )
        }
    }
}

extension ViewerRole {
    /// URLs that a target gives out with a break or session; the viewer builds a pod's URL itself.
    fileprivate var comesFromTarget: Bool {
        switch self {
        case .podPlaylist, .podRepeatPlaylist, .podSegment, .metadata, .verification, .assetList, .assetManifest,
            .beacon, .sessionUpdate:
            true
        case .registration, .multivariant, .playlist, .blockingPlaylist, .segment, .part: false
        case .podManifest, .podRepeat, .steering: false
        }
    }
}

extension AuthTokenMistake {
    fileprivate var finding: (FindingCode, expected: String, observed: String) {
        switch self {
        case .expired(let seconds):
            (
                .tokenExpired, "a token that holds when its address is asked for",
                "a token that ran out \(seconds) s before"
            )
        case .expiryInMilliseconds(let expiry):
            (.tokenExpiryInMilliseconds, "an exp in seconds since 1970", "exp=\(expiry)")
        case .anotherBreak(let token, let address):
            (.tokenOfAnotherBreak, "a token for \(address)", "a token for \(token)")
        }
    }
}
