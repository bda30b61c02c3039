extension TrackingEvent {
    /// The events that are verified by a ping, in the order in which an ad goes through them.
    package static let mediaSteps: [TrackingEvent] = [.started, .firstQuartile, .midpoint, .thirdQuartile, .complete]
}

extension SessionMetadata {
    /// Ids of a break's ads; empty where the break is not listed yet.
    package func ads(of identifier: PodIdentifier) -> Set<String> {
        let names = identifier.metadataNames
        return Set(ads.filter { $0.adBreakID.map(names.contains) ?? false }.map(\.id))
    }

    /// What of a break's ads the metadata call slate: how many, and how long they are together.
    package func slate(of identifier: PodIdentifier) -> (ads: Int, duration: Duration) {
        let names = identifier.metadataNames
        let slate = ads.filter { $0.isSlate && $0.adBreakID.map(names.contains) ?? false }
        return (slate.count, slate.reduce(.zero) { $0 + ($1.duration ?? .zero) })
    }

    /// Media ids of a break's ads: five for each ad, in the ads' order; empty where the break is not listed yet.
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

    /// Ids of a break's ads in their order; empty where the break is not listed yet.
    package func orderedAds(of identifier: PodIdentifier) -> [String] {
        let names = identifier.metadataNames
        return ads.filter { $0.adBreakID.map(names.contains) ?? false }
            .sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
            .map(\.id)
    }
}

extension PodIdentifier {
    /// How the metadata may name the break: by its id; for a pod in a sequence no document says which of these.
    fileprivate var metadataNames: [String] {
        switch self {
        case .sequence(let number): ["\(number)", "pod-\(number)", "pod/\(number)"]
        case .adBreakID(let name): [name]
        }
    }
}
