import AdServing
import HLS
import HTTPTypes
import NIOCore
import Profile
import Values

/// Adds a session and a moment to addresses, as stitchers and CDNs do.
struct AddressRewriter: Sendable {
    private static let validitySeconds: Int64 = 300

    private let signing: AddressSigning?
    private let hasSessionPaths: Bool
    private let seed: UInt64

    init?(_ configuration: OriginConfiguration) {
        guard configuration.signing != nil || configuration.hasSessionPaths else { return nil }
        signing = configuration.signing
        hasSessionPaths = configuration.hasSessionPaths
        seed = configuration.seed
    }

    func rewritten(_ answer: Answer, _ exchange: Exchange) -> Answer {
        guard exchange.route.listsAds, answer.status == .ok else { return answer }
        let session = hasSessionPaths ? SessionPiece.digits(for: exchange, seed: seed) : nil
        let signature = signing.map { self.signature($0, exchange) }
        return answer.edited(gzip: false) { edit in
            edit.changeAddresses { address in
                var own = address
                if let session, PodPaths.isCreative(address) { own = SessionPiece.put(session, before: own) }
                if let signature { own += (own.contains("?") ? "&" : "?") + signature }
                return own
            }
        }
    }

    /// New for each answer, unless a fault keeps them.
    private func signature(_ signing: AddressSigning, _ exchange: Exchange) -> String {
        let instant = exchange.signedAt ?? exchange.now
        let expiry = instant.epochSeconds + Self.validitySeconds
        let signed = exchange.signedAt == nil ? exchange.target : exchange.route.podIdentifier ?? ""
        var hash = SeededHash(seed: seed, signed, exchange.viewerHash, UInt64(bitPattern: instant.microseconds))
        let digits = (0..<4).map { part in
            hash.combine(UInt64(part))
            return hash.value.hexadecimal(digits: 16)
        }.joined()
        switch signing {
        case .akamai: return "hdnea=exp=\(expiry)~acl=/*~hmac=\(digits)"
        case .cloudFront: return "Expires=\(expiry)&Signature=\(digits)__&Key-Pair-Id=K2JCJMDEHXQW5F"
        }
    }
}

extension Route {
    fileprivate var listsAds: Bool {
        switch self {
        case .podManifest, .podPlaylist: true
        case .interstitial(let route): route.kind != .beacon
        default: false
        }
    }

    fileprivate var podIdentifier: String? {
        switch self {
        case .podManifest(let identifier), .podPlaylist(let identifier, _, _): identifier
        default: nil
        }
    }
}

extension PodPaths {
    fileprivate static func isCreative(_ address: String) -> Bool {
        address.hasPrefix(segmentPrefix) || InterstitialPaths.isCreative(address)
    }
}
