extension TrackingEvent {
    /// Events that are verified by a ping, in their order.
    package static let mediaSteps: [TrackingEvent] = [.started, .firstQuartile, .midpoint, .thirdQuartile, .complete]
}

extension SessionMetadata {
    /// Empty if the metadata do not list the break yet.
    package func ads(of identifier: PodIdentifier) -> Set<String> {
        let names = identifier.metadataNames
        return Set(ads.filter { $0.adBreakID.map(names.contains) ?? false }.map(\.id))
    }

    package func slate(of identifier: PodIdentifier) -> (ads: Int, duration: Duration) {
        let names = identifier.metadataNames
        let slate = ads.filter { $0.isSlate && $0.adBreakID.map(names.contains) ?? false }
        return (slate.count, slate.reduce(.zero) { $0 + ($1.duration ?? .zero) })
    }

    /// Media ids of a break's ads, five per ad in the ads' order; empty if the metadata do not list the break yet.
    package func mediaIDs(of identifier: PodIdentifier) -> [String] {
        struct Event: Hashable {
            let ad: String
            let type: String
        }
        let order = orderedAds(of: identifier)
        guard !order.isEmpty else { return [] }
        var prefixes: [Event: String] = [:]
        for tag in tags {
            guard let ad = tag.adID else { continue }
            let event = Event(ad: ad, type: tag.type)
            if prefixes[event] == nil { prefixes[event] = tag.prefix }
        }
        return order.flatMap { ad in
            TrackingEvent.mediaSteps.map { step in
                step.metadataType.flatMap { prefixes[Event(ad: ad, type: $0)] } ?? ""
            }
        }
    }

    /// In order; empty if the metadata do not list the break yet.
    package func orderedAds(of identifier: PodIdentifier) -> [String] {
        let names = identifier.metadataNames
        return ads.filter { $0.adBreakID.map(names.contains) ?? false }
            .sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
            .map(\.id)
    }
}

extension PodIdentifier {
    /// Names of a break in metadata: its id; for a pod in a sequence, any of these, since no document defines it.
    fileprivate var metadataNames: [String] {
        switch self {
        case .sequence(let number): ["\(number)", "pod-\(number)", "pod/\(number)"]
        case .adBreakID(let name): [name]
        }
    }
}
