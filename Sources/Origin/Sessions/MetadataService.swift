import AdServing

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
            let seconds = DecimalSeconds.text(microseconds: pod.podMicroseconds)
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
            + "\"\(Key.duration)\":\(DecimalSeconds.text(microseconds: microseconds)),"
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
