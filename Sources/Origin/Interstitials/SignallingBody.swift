import Foundation
import HLS

/// Ad creative signaling of an interstitial: its pings and their times (SVTA 2053-2, version 2).
struct SignallingBody: Sendable {
    let script: InterstitialScript
    let identifier: String
    let base: String

    struct Envelope<Payload: Encodable & Sendable>: Encodable, Sendable {
        var version = 2
        let type: String
        let payload: Payload
        /// Sgai-ad-proxy writes the single element without an array; SVTA 2053-2 and Shaka Player have one.
        var isBare = false

        enum CodingKeys: String, CodingKey {
            case version
            case type
            case payload
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(version, forKey: .version)
            try container.encode(type, forKey: .type)
            if isBare {
                try container.encode(payload, forKey: .payload)
            } else {
                try container.encode([payload], forKey: .payload)
            }
        }
    }

    struct Pod: Encodable, Sendable {
        let start: Double?
        let duration: Double
        let slots: [Slot]?
        let tracking: [Tracking]
    }

    struct Slot: Encodable, Sendable {
        var type = "linear"
        /// Seconds from the start of the interstitial.
        let start: Double
        let duration: Double
        let identifiers: [Identifier]
        let tracking: [Tracking]
    }

    struct Identifier: Encodable, Sendable {
        let scheme: String
        let value: String
    }

    struct Tracking: Encodable, Sendable {
        let type: String
        /// Seconds from the start of the ad; only for events whose name gives no time.
        let offset: Double?
        let urls: [String]
    }

    /// Events whose name gives their time.
    static let slotEvents = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]

    /// The pod's own events, for the top of an asset list.
    var pod: Envelope<Pod> {
        let pod = Pod(start: nil, duration: Self.seconds(script.length), slots: nil, tracking: podTracking)
        return Envelope(type: "pod", payload: pod, isBare: script.hasBareSignalling)
    }

    func slot(place: Int, creative: String) -> Envelope<Slot> {
        let identifiers = [Identifier(scheme: "podswarm", value: creative)]
        let slot = slot(place, identifiers: identifiers)
        return Envelope(type: "slot", payload: slot, isBare: script.hasBareSignalling)
    }

    /// All events for the tag, which does not know the ads yet.
    var tag: [UInt8] {
        let slots = script.assets.indices.map { slot($0, identifiers: []) }
        let pod = Pod(start: 0, duration: Self.seconds(script.length), slots: slots, tracking: podTracking)
        return Self.json(Envelope(type: "pod", payload: pod))
    }

    private var podTracking: [Tracking] {
        ["podStart", "podEnd"].map { event in
            let path = InterstitialPaths.beacon(identifier, place: -1, event: event)
            return Tracking(type: event, offset: nil, urls: [base + path])
        }
    }

    private func slot(_ place: Int, identifiers: [Identifier]) -> Slot {
        let length = script.assets[place]
        var tracking = Self.slotEvents.map { event in
            Tracking(type: event, offset: nil, urls: [ping(place, event)])
        }
        let second = Double(min(1, Self.seconds(length)))
        tracking.append(Tracking(type: "progress", offset: second, urls: [ping(place, "progress")]))
        return Slot(
            start: Self.seconds(script.assets.prefix(place).reduce(.zero, +)),
            duration: Self.seconds(length),
            identifiers: identifiers,
            tracking: tracking
        )
    }

    func ping(_ place: Int, _ event: String) -> String {
        base + InterstitialPaths.beacon(identifier, place: place, event: event)
    }

    static func isKnown(_ event: String) -> Bool {
        slotEvents.contains(event) || ["progress", "podStart", "podEnd"].contains(event)
    }

    static func seconds(_ duration: Duration) -> Double { Double(duration.wholeMicroseconds) / 1e6 }

    static func json(_ value: some Encodable) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map(Array.init) ?? []
    }
}
