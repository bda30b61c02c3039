import AdServing
import Foundation
import HLS
import NIOCore
import Profile
import Values

/// Fields of Ad Manager's pod serving.
struct RegistrationResponse: Sendable {
    private let sessionPaths: SessionPaths
    private let podPaths: PodPaths
    private let validity: Duration
    private let polling: Duration

    init(_ configuration: OriginConfiguration) {
        sessionPaths = SessionPaths(configuration)
        podPaths = PodPaths(configuration)
        validity = configuration.sessionValidity
        polling = configuration.metadataPollingFrequency
    }

    func body(streamID: StreamID, showsStreamID: Bool, validUntil: WallTime, base: String) -> [UInt8] {
        typealias Key = WireName.Session
        var members = [
            (Key.manifestFormat, "\"hls\""),
            (Key.mediaVerificationURL, "\"\(base)\(sessionPaths.verification(streamID: streamID))\""),
            (Key.metadataURL, "\"\(base)\(sessionPaths.metadata(streamID: streamID))\""),
            (Key.sessionUpdateURL, "\"\(base)\(sessionPaths.update(streamID: streamID))\""),
            (Key.podManifestURL, "\"\(base)\(podPaths.manifests)\""),
            (Key.pollingFrequency, SecondsText.shortest(polling.wholeMicroseconds)),
            (Key.validFor, "\"\(Self.hours(validity))\""),
            (Key.validUntil, "\"\(validUntil.iso8601)\""),
        ]
        if showsStreamID { members.insert((Key.streamID, "\"\(streamID.rawValue)\""), at: 0) }
        let text = members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
        return Array("{\(text)}\n".utf8)
    }

    /// As `8h0m0s`, Go's form, from the ad server.
    static func hours(_ time: Duration) -> String {
        let whole = time.components.seconds
        let (hours, minutes) = (whole / 3_600, whole / 60 % 60)
        let rest = time - .seconds(whole - whole % 60)
        let seconds = "\(SecondsText.shortest(rest.wholeMicroseconds))s"
        if hours > 0 { return "\(hours)h\(minutes)m\(seconds)" }
        return minutes > 0 ? "\(minutes)m\(seconds)" : seconds
    }
}

enum RegistrationBody {
    /// Nil for an invalid body.
    static func fields(_ body: ByteBuffer, isJSON: Bool) -> [String: String]? {
        guard body.readableBytes > 0 else { return [:] }
        guard isJSON else {
            let form = FormFields(String(buffer: body))
            return Dictionary(form.pairs.map { ($0.name, $0.value) }) { first, _ in first }
        }
        let data = Data(body.readableBytesView)
        guard let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else { return nil }
        return object.compactMapValues { value in
            switch value {
            case let text as String: text
            case let number as NSNumber: number.stringValue
            default: nil
            }
        }
    }
}

/// Independent of the code that signs for clients.
///
/// A token is `name=value` pairs sorted by name and joined with `~`, then `~hmac=` and the HMAC-SHA256 of the text before it in
/// lower-case hexadecimal, keyed with the key's characters.
struct TokenCheck: Sendable {
    private let key: [UInt8]

    init(key: String) { self.key = Array(key.utf8) }

    func accepts(_ token: String?, required: [String: String], at now: WallTime) -> Bool {
        guard let token, let mark = token.ranges(of: "~\(WireName.Token.hmac)=").last else { return false }
        let text = token[..<mark.lowerBound]
        let signature = Digest.hexadecimal(Digest.hmacSHA256(of: Array(text.utf8), key: key))
        guard Digest.areEqual(Array(token[mark.upperBound...].utf8), Array(signature.utf8)) else { return false }
        var fields: [Substring: Substring] = [:]
        for pair in text.split(separator: "~") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            fields[parts[0]] = parts.count > 1 ? parts[1] : ""
        }
        // The documents count `exp` in seconds; milliseconds are accepted for ages, as they would be there.
        guard let expiry = fields[WireName.Token.expiry[...]].flatMap({ Int64($0) }), expiry >= now.epochSeconds else {
            return false
        }
        return required.allSatisfy { fields[$0.key[...]] == $0.value[...] }
    }
}

/// Sessions with equal pods share one body.
final class MetadataService: Sendable {
    private struct Key: Hashable {
        let decision: PodDecision
        let podMicroseconds: Int64
    }

    private let pods: PodService
    private let bodies = BoundedCache<[Key], NegotiatedAnswer>(limit: 256)

    init(pods: PodService) { self.pods = pods }

    func answer(for asked: [AskedPod], gzip: Bool) -> Answer {
        let key = asked.map { Key(decision: $0.decision, podMicroseconds: $0.podMicroseconds) }
        let body = bodies.value(key) { NegotiatedAnswer(contentType: .json, caching: .none, body: text(of: asked)) }
        return body.answer(gzip: gzip)
    }

    private func text(of asked: [AskedPod]) -> [UInt8] {
        typealias Key = WireName.Metadata
        var tags: [String] = []
        var ads: [String] = []
        var breaks: [String] = []
        for pod in asked {
            let breakID = Self.breakID(pod.decision)
            let seconds = SecondsText.decimal(pod.podMicroseconds)
            breaks.append(
                "\"\(breakID)\":{\"\(Key.type)\":\"mid\",\"\(Key.duration)\":\(seconds),"
                    + "\"\(Key.ads)\":\(pod.ads.count)}"
            )
            for (place, microseconds) in pod.ads.enumerated() {
                let adID = "\(breakID)_ad\(place + 1)"
                let creative = pods.creative(pod.decision, at: place)
                ads.append(Self.ad(adID, in: breakID, place: place, microseconds: microseconds, creative: creative))
                for event in MediaTag.Event.allCases {
                    let tag = MediaTag(decision: pod.decision.mediaNumber, ad: place, event: event)
                    tags.append(
                        "\"\(tag.mediaID)\":{\"\(Key.ad)\":\"\(adID)\",\"\(Key.adBreakID)\":\"\(breakID)\","
                            + "\"\(Key.type)\":\"\(event.type)\"}"
                    )
                }
            }
        }
        let members = [(Key.tags, tags), (Key.ads, ads), (Key.adBreaks, breaks)]
        let text = members.map { "\"\($0.0)\":{\($0.1.joined(separator: ","))}" }.joined(separator: ",")
        return Array("{\(text)}\n".utf8)
    }

    private static func ad(
        _ adID: String,
        in breakID: String,
        place: Int,
        microseconds: Int64,
        creative: String
    ) -> String {
        typealias Key = WireName.Metadata
        return "\"\(adID)\":{\"\(Key.adBreakID)\":\"\(breakID)\",\"\(Key.sequence)\":\(place + 1),"
            + "\"\(Key.duration)\":\(SecondsText.decimal(microseconds)),"
            + "\"\(Key.title)\":\"Test creative \(creative)\",\"\(Key.slate)\":false,"
            + "\"\(Key.clickThroughURL)\":\"https://example.com/\(creative)\"}"
    }

    /// `ad_break_id/…` without its prefix, `pod-7` for `pod/7`.
    private static func breakID(_ decision: PodDecision) -> String {
        let pieces = decision.identifier.split(separator: "/", maxSplits: 1)
        guard pieces.count == 2 else { return decision.identifier }
        return pieces[0] == WireName.pod ? "pod-\(pieces[1])" : String(pieces[1])
    }
}
