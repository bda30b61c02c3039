import AdServing
import HLS
import HTTPTypes
import NIOCore

/// Makes the addresses in pods and asset lists a session's and a moment's own, as stitchers and CDNs do.
struct AddressRewriter: Sendable {
    /// How long a signature says that it holds.
    private static let validitySeconds: Int64 = 300
    /// What stands before an address within a line of a playlist, or in the JSON of an asset list.
    private static let openings = [#"URI=""#, #""URI":""#]

    private let signing: AddressSigning?
    private let hasSessionPaths: Bool
    private let seed: UInt64

    /// Nil where every address stays as it is.
    init?(_ configuration: OriginConfiguration) {
        guard configuration.addressSigning != nil || configuration.hasSessionPaths else { return nil }
        signing = configuration.addressSigning
        hasSessionPaths = configuration.hasSessionPaths
        seed = configuration.seed
    }

    /// The answer with such addresses; any but a pod's or an asset list's as it is.
    func rewritten(_ answer: Answer, _ exchange: Exchange) -> Answer {
        guard exchange.route.listsAds, answer.status == .ok else { return answer }
        let session = hasSessionPaths ? SessionPiece.digits(for: exchange, seed: seed) : nil
        let signature = signing.map { self.signature($0, exchange) }
        let text = String(buffer: answer.body)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            Self.replacingAddresses(in: String(line)) { address in
                var own = address
                if let session, PodPaths.isCreative(address) { own = SessionPiece.put(session, before: own) }
                if let signature { own += (own.contains("?") ? "&" : "?") + signature }
                return own
            }
        }
        let body = ByteBuffer(string: lines.joined(separator: "\n"))
        return Answer(status: answer.status, fields: answer.fields, body: body)
    }

    /// A line of a playlist, or of JSON, with other addresses in the places of its own.
    static func replacingAddresses(in line: String, by replacement: (String) -> String) -> String {
        guard !line.isEmpty else { return line }
        guard line.hasPrefix("#") || line.hasPrefix("{") else { return replacement(line) }
        var (written, rest) = ("", line[...])
        while let opening = openings.compactMap({ rest.firstRange(of: $0) }).min(by: { $0.upperBound < $1.upperBound }),
            let end = rest[opening.upperBound...].firstIndex(of: "\"")
        {
            written += rest[..<opening.upperBound] + replacement(String(rest[opening.upperBound..<end]))
            rest = rest[end...]
        }
        return written + rest
    }

    /// What is put into a query; another one for each answer, or one for all of a viewer's pod where a fault keeps it.
    private func signature(_ signing: AddressSigning, _ exchange: Exchange) -> String {
        let instant = exchange.signedAt ?? exchange.now
        let expiry = instant.epochSeconds + Self.validitySeconds
        var hash = SeededHash(seed: seed)
        hash.combine(exchange.signedAt == nil ? exchange.target : exchange.route.podIdentifier ?? "")
        hash.combine(exchange.viewerHash)
        hash.combine(UInt64(bitPattern: instant.microseconds))
        let digits = (0..<4).map { part in
            hash.combine(UInt64(part))
            return String(hash.value, radix: 16).leftPadded(to: 16)
        }.joined()
        switch signing {
        case .akamai: return "hdnea=exp=\(expiry)~acl=/*~hmac=\(digits)"
        case .cloudFront: return "Expires=\(expiry)&Signature=\(digits)__&Key-Pair-Id=K2JCJMDEHXQW5F"
        }
    }
}

extension Route {
    /// Whether the answer lists ads, or what they consist of.
    fileprivate var listsAds: Bool {
        switch self {
        case .podManifest, .podPlaylist: true
        case .interstitial(let route): route.kind != .beacon
        default: false
        }
    }
}

extension Route {
    /// Of the pod whose manifest or playlist is asked for; nil for any other request.
    fileprivate var podIdentifier: String? {
        switch self {
        case .podManifest(let identifier), .podPlaylist(let identifier, _, _): identifier
        default: nil
        }
    }
}

extension PodPaths {
    /// Whether an address is a creative's, in a pod or in an asset.
    fileprivate static func isCreative(_ address: String) -> Bool {
        address.hasPrefix(segmentPrefix) || InterstitialPaths.isCreative(address)
    }
}
