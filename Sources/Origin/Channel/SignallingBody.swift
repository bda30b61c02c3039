import Foundation
import HLS

/// Members are sorted, and left out without a value.
indirect enum WrittenJSON: Encodable, Sendable {
    case text(String)
    case whole(Int)
    case number(Double)
    case list([WrittenJSON])
    case members([String: WrittenJSON])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .whole(let number): try container.encode(number)
        case .number(let number): try container.encode(number)
        case .list(let items): try container.encode(items)
        case .members(let members): try container.encode(members)
        }
    }

    var bytes: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)).map(Array.init) ?? []
    }
}

extension WrittenJSON: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    init(arrayLiteral items: WrittenJSON...) { self = .list(items) }

    init(dictionaryLiteral members: (String, WrittenJSON?)...) {
        self = .members(members.reduce(into: [:]) { $0[$1.0] = $1.1 })
    }
}

/// Ad creative signaling (SVTA 2053-2, version 2).
struct SignallingBody: Sendable {
    let script: InterstitialScript
    let identifier: String
    let base: String

    /// Their names give their times.
    private static let slotEvents = ["impression", "start", "firstQuartile", "midpoint", "thirdQuartile", "complete"]

    /// For the top of an asset list.
    var pod: WrittenJSON { envelope("pod", pod(), isBare: script.hasBareSignalling) }

    func slot(place: Int, creative: String) -> WrittenJSON {
        let identifiers: WrittenJSON = [["scheme": .text("podswarm"), "value": .text(creative)]]
        return envelope("slot", slot(place, identifiers: identifiers), isBare: script.hasBareSignalling)
    }

    /// The tag does not know the ads yet.
    var tag: [UInt8] {
        let slots = script.assets.indices.map { slot($0, identifiers: []) }
        return envelope("pod", pod(start: .number(0), slots: .list(slots))).bytes
    }

    /// Sgai-ad-proxy writes no array; SVTA 2053-2 and Shaka Player have one.
    private func envelope(_ type: String, _ payload: WrittenJSON, isBare: Bool = false) -> WrittenJSON {
        ["version": .whole(2), "type": .text(type), "payload": isBare ? payload : [payload]]
    }

    private func pod(start: WrittenJSON? = nil, slots: WrittenJSON? = nil) -> WrittenJSON {
        [
            "start": start, "duration": .number(Self.seconds(script.length)), "slots": slots,
            "tracking": .list(["podStart", "podEnd"].map { tracking(-1, $0) }),
        ]
    }

    private func slot(_ place: Int, identifiers: WrittenJSON) -> WrittenJSON {
        let length = Self.seconds(script.assets[place])
        var tracked = Self.slotEvents.map { tracking(place, $0) }
        tracked.append(tracking(place, "progress", offset: .number(min(1, length))))
        return [
            "type": .text("linear"), "start": .number(start(of: place)), "duration": .number(length),
            "identifiers": identifiers, "tracking": .list(tracked),
        ]
    }

    /// `offset` is in seconds from the ad's start, for events whose name gives no time.
    private func tracking(_ place: Int, _ event: String, offset: WrittenJSON? = nil) -> WrittenJSON {
        ["type": .text(event), "offset": offset, "urls": [ping(place, event)]]
    }

    private func ping(_ place: Int, _ event: String) -> WrittenJSON {
        .text(base + InterstitialPaths.beacon(identifier, place: place, event: event))
    }

    /// Seconds from the interstitial's start.
    private func start(of place: Int) -> Double { Self.seconds(script.assets.prefix(place).reduce(.zero, +)) }

    static func isKnown(_ event: String) -> Bool {
        slotEvents.contains(event) || ["progress", "podStart", "podEnd"].contains(event)
    }

    private static func seconds(_ duration: Duration) -> Double { Double(duration.wholeMicroseconds) / 1e6 }
}

/// TRACKING of an asset list, in MediaTailor's form.
///
/// Guide: "Ad tracking with SGAI" and "Client-side tracking API". It gives no zero of times for a guided session; here it is
/// the interstitial's start.
extension SignallingBody {
    /// In times of the whole interstitial, which begins after some seconds.
    func ad(place: Int, creative: String, after zero: Double = 0) -> WrittenJSON {
        let (length, start) = (Self.seconds(script.assets[place]), zero + start(of: place))
        let quarters = ["firstQuartile": 1.0, "midpoint": 2, "thirdQuartile": 3, "complete": 4]
        let events = Self.slotEvents.map { event -> WrittenJSON in
            [
                "eventId": .text("\(place + 1)"), "eventType": .text(event),
                "startTimeInSeconds": .number(start + length / 4 * (quarters[event] ?? 0)),
                "durationInSeconds": .number(event == "impression" ? length : 0), "beaconUrls": [ping(place, event)],
            ]
        }
        return [
            "adId": .text("\(place + 1)"), "creativeId": .text(creative), "startTimeInSeconds": .number(start),
            "durationInSeconds": .number(length), "trackingEvents": .list(events),
        ]
    }

    /// The list begins `start` seconds into the interstitial.
    func tracking(of ads: [WrittenJSON], from start: Double) -> WrittenJSON {
        let length = max(0, Self.seconds(script.length) - start)
        return ["avails": [avail(identifier, of: ads, from: start, lasting: length)]]
    }

    /// In seconds.
    func avail(_ id: String, of ads: [WrittenJSON], from start: Double, lasting length: Double, dated: WallTime? = nil)
        -> WrittenJSON
    {
        [
            "availId": .text(id), "adBreakTrackingEvents": [], "ads": .list(ads),
            "startTimeInSeconds": .number(start), "durationInSeconds": .number(length),
            "availProgramDateTime": dated.map { .text($0.iso8601) },
        ]
    }
}

/// MediaTailor does not publish how it stores the reporting mode; here the session's addresses repeat it.
struct TailorReporting: Sendable {
    private static let parameter = "aws.reportingMode"

    let isByClient: Bool

    init(_ query: FormFields, body: [String: String]? = nil) {
        let mode = body?["reportingMode"] ?? query[Self.parameter]
        isByClient = mode?.lowercased() == "client"
    }

    var parameters: [String] { isByClient ? ["\(Self.parameter)=CLIENT"] : [] }
}
