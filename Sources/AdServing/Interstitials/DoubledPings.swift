extension CreativeSignaling {
    /// First tracking event that an ad or pod lists twice with one address, so that a player reports it twice; nil without one.
    ///
    /// Several addresses of one event are several parties that count (VAST 4.2 section 3.14), not duplicates.
    package var doubledEvent: String? {
        items.lazy.compactMap(\.doubledEvent).first
    }
}

extension AssetList {
    /// First event listed twice with one address, in creative signaling or in a TRACKING section; nil without one.
    package var doubledEvent: String? {
        let signaled = ([signaling] + assets.map(\.signaling)).lazy.compactMap { $0?.doubledEvent }.first
        return signaled ?? ([beacons] + assets.map(\.beacons)).lazy.compactMap(\.doubledEvent).first
    }
}

extension [TrackingBeacon] {
    fileprivate var doubledEvent: String? {
        var seen: Set<TrackingBeacon> = []
        return first { !seen.insert($0).inserted }?.event
    }
}

extension CreativeSignaling.Item {
    fileprivate var doubledEvent: String? {
        struct Ping: Hashable {
            let type: String
            let offset: Duration?
            let url: String
        }
        var seen: Set<Ping> = []
        for event in tracking {
            for url in event.urls where !seen.insert(Ping(type: event.type, offset: event.offset, url: url)).inserted {
                return event.type
            }
        }
        return slots.lazy.compactMap(\.doubledEvent).first
    }
}

extension SessionMetadata {
    /// First event type of these ads that two media ids stand for, so that a player verifies it twice; nil without one.
    package func doubledEvent(ofAds ads: Set<String>) -> String? {
        struct Event: Hashable {
            let ad: String
            let type: String
        }
        var seen: Set<Event> = []
        for tag in tags where tag.isVerified {
            guard let ad = tag.adID, ads.contains(ad) else { continue }
            guard seen.insert(Event(ad: ad, type: tag.type)).inserted else { return tag.type }
        }
        return nil
    }
}
