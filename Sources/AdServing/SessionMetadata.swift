import Glibc
import Values

/// Metadata document of a session: a media id for each tracking event of each ad.
package struct SessionMetadata: Hashable, Sendable {
    /// Entry for media ids that begin with `prefix`.
    package struct Tag: Hashable, Sendable {
        package var prefix: String
        package var adID: String?
        package var adBreakID: String?
        /// `start`, `firstquartile`, `midpoint`, `thirdquartile`, `complete` or `progress`.
        package var type: String

        package var isVerified: Bool { type != "progress" }
    }

    package struct Ad: Hashable, Sendable {
        package var id: String
        package var adBreakID: String?
        package var sequence: Int?
        package var duration: Duration?
        package var isSlate: Bool
    }

    /// Sorted by prefix, byte by byte; each prefix occurs once.
    package var tags: [Tag]
    package var ads: [Ad]
    package var pollingFrequency: Duration?

    /// Ignores entries that are not objects, and repeated ids after the first.
    package init(json: UnsafeRawBufferPointer) throws(AdServingError) {
        typealias Key = WireName.Metadata
        let document = try JSONValue.object(in: json)
        func entries(_ key: String) -> [(id: String, members: JSONObject)] {
            let places = (document[key]?.members.all ?? []).enumerated().sorted { one, other in
                let order = one.element.name.byteOrder(to: other.element.name)
                return order == 0 ? one.offset < other.offset : order < 0
            }
            var entries: [(id: String, members: JSONObject)] = []
            var last: String?
            for (_, member) in places where last?.byteOrder(to: member.name) != 0 {
                last = member.name
                if case .object(let members) = member.value { entries.append((member.name, members)) }
            }
            return entries
        }
        tags = entries(Key.tags).map { prefix, members in
            Tag(
                prefix: prefix,
                adID: members[Key.ad]?.text,
                adBreakID: members[Key.adBreakID]?.text,
                type: members[Key.type]?.text ?? ""
            )
        }
        ads = entries(Key.ads).map { id, members in
            Ad(
                id: id,
                adBreakID: members[Key.adBreakID]?.text,
                sequence: members[Key.sequence]?.number.flatMap { Int(exactly: $0) },
                duration: members[Key.duration]?.seconds,
                isSlate: members[Key.slate]?.boolean ?? false
            )
        }
        pollingFrequency = document[Key.pollingFrequency]?.seconds
    }

    package func tag(matching mediaID: String) -> Tag? { tags.matching(mediaID) }

    private struct Event: Hashable {
        let ad: String
        let type: String
    }

    /// First event type with two media ids: a player verifies it twice.
    package func doubledEvent(ofAds ads: Set<String>) -> String? {
        let events = tags.lazy.filter(\.isVerified).compactMap { tag in
            tag.adID.flatMap { ads.contains($0) ? Event(ad: $0, type: tag.type) : nil }
        }
        return events.firstRepeated?.type
    }

    /// Empty if the metadata do not list the break yet.
    private func listed(_ identifier: PodIdentifier) -> [Ad] {
        let names = identifier.metadataNames
        return ads.filter { $0.adBreakID.map(names.contains) ?? false }
    }

    package func ads(of identifier: PodIdentifier) -> Set<String> { Set(listed(identifier).map(\.id)) }

    package func slate(of identifier: PodIdentifier) -> (ads: Int, duration: Duration) {
        let slate = listed(identifier).filter(\.isSlate)
        return (slate.count, slate.reduce(.zero) { $0 + ($1.duration ?? .zero) })
    }

    /// Five media ids per ad in the ads' order; empty if the metadata do not list the break yet.
    package func mediaIDs(of identifier: PodIdentifier) -> [String] {
        let order = orderedAds(of: identifier)
        guard !order.isEmpty else { return [] }
        let events = tags.lazy.compactMap { tag in tag.adID.map { (Event(ad: $0, type: tag.type), tag.prefix) } }
        let prefixes = Dictionary(events) { first, _ in first }
        return order.flatMap { ad in
            TrackingEvent.mediaSteps.map { step in
                step.metadataType.flatMap { prefixes[Event(ad: ad.id, type: $0)] } ?? ""
            }
        }
    }

    package func orderedAds(of identifier: PodIdentifier) -> [Ad] {
        listed(identifier).sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
    }
}

extension [SessionMetadata.Tag] {
    package func matching(_ mediaID: String) -> SessionMetadata.Tag? {
        String.withBytes(of: mediaID) { bytes in
            var bytes = bytes
            while let nearest = lastPlace(notAfter: bytes) {
                // No prefix of the id shares more with the id than the nearest tag does.
                let shared = self[nearest].prefix.sharedBytes(with: bytes)
                guard shared < self[nearest].prefix.utf8.count else { return self[nearest] }
                bytes = UnsafeBufferPointer(rebasing: bytes[..<shared])
            }
            return nil
        }
    }

    private func lastPlace(notAfter bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        let next = partitioningIndex { String.withBytes(of: $0.prefix) { String.order($0, bytes) > 0 } }
        return next > 0 ? next - 1 : nil
    }
}

extension PodIdentifier {
    /// A pod in a sequence may have any of these names: no document defines it.
    fileprivate var metadataNames: [String] {
        switch self {
        case .sequence(let number): ["\(number)", "pod-\(number)", "pod/\(number)"]
        case .adBreakID(let name): [name]
        }
    }
}

/// Ping by which a player tells the ad server that it reached a moment of an ad.
package enum MediaVerification {
    /// Ad Manager, "Live stream client API".
    package enum Meaning: String, Hashable, Sendable {
        case recorded
        /// 202: counted later.
        case accepted
        /// 404: the media id is wrong, has been sent before, or has expired.
        case unknown
        /// 409: another client has sent it, so no count is lost (Ad Manager, "Manage DAI livestreams").
        case sentByOthers
        case failed
    }

    package static func url(base: String, mediaID: String) -> String {
        base + (base.hasSuffix("/") ? "" : "/") + PercentEncoding.encode(mediaID)
    }

    package static func meaning(status: Int) -> Meaning {
        switch status {
        case 204: .recorded
        case 202: .accepted
        case 404: .unknown
        case 409: .sentByOthers
        default: .failed
        }
    }
}

/// Named by the IMA SDK, in order.
package enum TrackingEvent: String, Hashable, Sendable, CaseIterable {
    case adBreakStarted = "AD_BREAK_STARTED"
    case adPeriodStarted = "AD_PERIOD_STARTED"
    case started = "STARTED"
    case firstQuartile = "FIRST_QUARTILE"
    case midpoint = "MIDPOINT"
    case thirdQuartile = "THIRD_QUARTILE"
    case complete = "COMPLETE"
    case adPeriodEnded = "AD_PERIOD_ENDED"
    case adBreakEnded = "AD_BREAK_ENDED"

    package static let mediaSteps: [TrackingEvent] = [.started, .firstQuartile, .midpoint, .thirdQuartile, .complete]

    /// Nil for events that are not verified.
    package var metadataType: String? {
        switch self {
        case .started: "start"
        case .firstQuartile: "firstquartile"
        case .midpoint: "midpoint"
        case .thirdQuartile: "thirdquartile"
        case .complete: "complete"
        case .adBreakStarted, .adPeriodStarted, .adPeriodEnded, .adBreakEnded: nil
        }
    }
}

/// Comparison by bytes: the order of `String` compares Unicode's canonical forms, but ids are bytes.
extension String {
    /// Result of `memcmp`; a prefix comes before its text.
    func byteOrder(to other: String) -> Int {
        Self.withBytes(of: self) { mine in Self.withBytes(of: other) { Self.order(mine, $0) } }
    }

    func sharedBytes(with other: UnsafeBufferPointer<UInt8>) -> Int {
        Self.withBytes(of: self) { mine in
            let longest = Swift.min(mine.count, other.count)
            return (0..<longest).first { mine[$0] != other[$0] } ?? longest
        }
    }

    static func withBytes<Outcome>(of text: String, _ body: (UnsafeBufferPointer<UInt8>) -> Outcome) -> Outcome {
        if let outcome = text.utf8.withContiguousStorageIfAvailable(body) { return outcome }
        return Array(text.utf8).withUnsafeBufferPointer(body)
    }

    static func order(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Int {
        let shared = Swift.min(one.count, other.count)
        if shared > 0, let start = one.baseAddress, let otherStart = other.baseAddress {
            let order = memcmp(start, otherStart, shared)
            if order != 0 { return Int(order) }
        }
        return one.count - other.count
    }
}
