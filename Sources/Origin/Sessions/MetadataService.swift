import Synchronization

/// Writes the metadata of sessions; sessions that asked for the same pods share one body.
final class MetadataService: Sendable {
    private struct Key: Hashable {
        let decision: PodDecision
        let podMicroseconds: Int64
    }

    /// Bodies kept before all are made anew.
    private static let maximumBodies = 256

    private let pods: PodService
    private let bodies = Mutex<[[Key]: NegotiatedAnswer]>([:])

    init(pods: PodService) {
        self.pods = pods
    }

    /// The metadata of a session that asked for these pods, oldest first.
    func answer(for asked: [AskedPod], gzip: Bool) -> Answer {
        let key = asked.map { Key(decision: $0.decision, podMicroseconds: $0.podMicroseconds) }
        return bodies.withLock { bodies in
            if let known = bodies[key] { return known.answer(gzip: gzip) }
            if bodies.count >= Self.maximumBodies { bodies.removeAll(keepingCapacity: true) }
            let fresh = NegotiatedAnswer(contentType: .json, caching: .none, body: text(of: asked))
            bodies[key] = fresh
            return fresh.answer(gzip: gzip)
        }
    }

    private func text(of asked: [AskedPod]) -> [UInt8] {
        var tags: [String] = []
        var ads: [String] = []
        var breaks: [String] = []
        for pod in asked {
            let breakID = Self.breakID(pod.decision)
            let seconds = DecimalSeconds.text(microseconds: pod.podMicroseconds)
            breaks.append("\"\(breakID)\":{\"type\":\"mid\",\"duration\":\(seconds),\"ads\":\(pod.ads.count)}")
            for (place, microseconds) in pod.ads.enumerated() {
                let creative = pods.creative(pod.decision, at: place)
                let adID = "\(breakID)_ad\(place + 1)"
                ads.append(
                    "\"\(adID)\":{\"ad_break_id\":\"\(breakID)\",\"seq\":\(place + 1),"
                        + "\"duration\":\(DecimalSeconds.text(microseconds: microseconds)),"
                        + "\"title\":\"Test creative \(creative)\",\"creative_id\":\"\(creative)\",\"slate\":false,"
                        + "\"clickthrough_url\":\"https://example.com/\(creative)\"}"
                )
                for event in MediaTag.Event.allCases {
                    let tag = MediaTag(decision: pod.decision.mediaNumber, ad: place, event: event)
                    tags.append(
                        "\"\(tag.mediaID)\":{\"ad\":\"\(adID)\",\"ad_break_id\":\"\(breakID)\",\"type\":\"\(event.type)\"}"
                    )
                }
            }
        }
        let text =
            "{\"tags\":{\(tags.joined(separator: ","))},\"ads\":{\(ads.joined(separator: ","))},"
            + "\"ad_breaks\":{\(breaks.joined(separator: ","))}}\n"
        return Array(text.utf8)
    }

    /// The break's name in metadata: the id alone of `ad_break_id/…`, `pod-7` for `pod/7`.
    private static func breakID(_ decision: PodDecision) -> String {
        let pieces = decision.identifier.split(separator: "/", maxSplits: 1)
        guard pieces.count == 2 else { return decision.identifier }
        return pieces[0] == "pod" ? "pod-\(pieces[1])" : String(pieces[1])
    }
}
