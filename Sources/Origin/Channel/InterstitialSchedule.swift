import AdServing
import Foundation
import HLS
import Values

/// A pure function of the window and the live edge.
struct InterstitialSchedule: Sendable {
    let scripts: [InterstitialScript]
    /// Time before the start at which interstitials without `announce` are listed.
    let standardLead: Duration
    /// Path and query of X-ASSET-LIST, by ID.
    var list: @Sendable (String) -> String = InterstitialPaths.list

    /// Ordered by start, then by script, so that equal starts play alike from every playlist (bis-22 appendix D).
    func dateRanges(from start: WallTime, edge: WallTime, base: String) -> [DateRange] {
        guard !scripts.isEmpty else { return [] }
        let entries = scripts.enumerated().flatMap { index, script in
            occasions(of: script, from: start, edge: edge).map {
                (index: index, tag: InterstitialTag(script: script, occasion: $0, base: base, list: list))
            }
        }
        let ordered = entries.sorted { ($0.tag.occasion.start, $0.index) < ($1.tag.occasion.start, $1.index) }
        return ordered.flatMap { ranges($0.tag, from: start, edge: edge) }
    }

    private func lead(_ script: InterstitialScript) -> Duration { script.announce ?? standardLead }

    private func occasions(
        of script: InterstitialScript,
        from start: WallTime,
        edge: WallTime
    ) -> [InterstitialOccasion] {
        let ahead = lead(script) + (script.preload?.ahead ?? .zero)
        let oldest = start - script.length * script.together
        return script.occasions(in: oldest..<max(oldest, edge + ahead + .microseconds(1)))
    }

    private func ranges(_ first: InterstitialTag, from start: WallTime, edge: WallTime) -> [DateRange] {
        let (script, begin) = (first.script, first.occasion.start)
        let tags = (0..<script.together).map { place in
            var tag = first
            tag.place = place
            return tag
        }
        guard script.schedule != nil else { return tags.map { $0.interstitial(edge: edge) } }
        if let cancel = script.cancel, edge >= begin - cancel { return [] }
        let length = script.length * script.together
        let isListed = edge >= begin - lead(script) && begin + length > start
        return tags.flatMap { tag -> [DateRange] in
            var ranges = isListed ? [tag.interstitial(edge: edge)] : []
            // The preload range stays while a date in it belongs to a listed segment (bis-22 6.2.1).
            if let preload = script.preload, begin > start {
                ranges.insert(tag.preload(preload), at: preload.order == .before ? 0 : ranges.count)
            }
            return ranges
        }
    }
}

/// Tags of one interstitial (bis-22 appendices D and F).
struct InterstitialTag: Sendable {
    let script: InterstitialScript
    let occasion: InterstitialOccasion
    var place = 0
    let base: String
    let list: @Sendable (String) -> String

    var identifier: String { script.identifier(occasion, place: place) }

    /// A preload range repeats it (appendix F).
    private var uri: String {
        let uri =
            switch script.delivery {
            case .uri: base + InterstitialPaths.asset(identifier)
            case .list: (script.listReference == .absolute ? base : "") + list(identifier)
            }
        guard script.numbersPods else { return uri }
        return "\(uri)\(uri.contains("?") ? "&" : "?")\(InterstitialName.podNumberParameter)=\(occasion.ordinal)"
    }

    /// The live edge decides on the playout limit.
    func interstitial(edge: WallTime) -> DateRange {
        var attributes: [String: AttributeValue] = [:]
        attributes[script.delivery == .uri ? InterstitialName.assetURI : InterstitialName.assetList] = .quoted(uri)
        attributes[InterstitialName.resumeOffset] = script.resumeOffset.map(Self.seconds)
        attributes[InterstitialName.playoutLimit] = playoutLimit(edge: edge).map(Self.seconds)
        attributes[InterstitialName.restrict] = words(script.restrict.map(\.rawValue), odd: "FLY")
        attributes[InterstitialName.snap] = words(script.snap.map(\.rawValue), odd: "SIDEWAYS")
        if let mayVary = script.contentMayVary {
            attributes[InterstitialName.contentMayVary] = .quoted(mayVary ? "YES" : "NO")
        }
        attributes[InterstitialName.timelineOccupies] = script.timelineOccupies.map(Self.word)
        attributes[InterstitialName.timelineStyle] = script.timelineStyle.map(Self.word)
        if script.hasOddities { addOddities(&attributes) }
        if let name = script.beaconAttribute {
            attributes[name] = .quoted(base + InterstitialPaths.beacon(identifier, place: -1, event: "start"))
        }
        if let control = script.skipControl, !control.inList {
            attributes[InterstitialName.skipOffset] = .number(String(control.offset))
            attributes[InterstitialName.skipDuration] = control.duration.map { .number(String($0)) }
            attributes[InterstitialName.skipLabel] = control.label.map { .quoted($0) }
        }
        if script.signalling.contains(.tag) {
            let json = SignallingBody(script: script, identifier: identifier, base: base).tag
            attributes[InterstitialName.signalling] = .quoted(Data(json).base64EncodedString())
        }
        var range = DateRange(id: identifier)
        range.classAttribute = InterstitialName.interstitialClass
        range.startDate = occasion.start
        range.duration = script.lengthAttribute == .duration ? script.length : nil
        range.plannedDuration = script.lengthAttribute == .planned ? script.length : nil
        range.cue = script.cue.compactMap { DateRange.Cue(rawValue: $0.rawValue.uppercased()) }
        range.attributes = attributes
        return range
    }

    /// Each viewer requests at a time of its own within the range.
    func preload(_ preload: InterstitialScript.Preload) -> DateRange {
        var range = DateRange(id: "\(identifier)-preload")
        range.classAttribute = InterstitialName.preloadClass
        (range.startDate, range.duration) = (occasion.start - preload.length, preload.length)
        range.attributes = [
            InterstitialName.preloadURI: .quoted(uri),
            InterstitialName.preloadTarget: .quoted(identifier),
            InterstitialName.preloadTargetClass: .quoted(InterstitialName.interstitialClass),
        ]
        return range
    }

    private func playoutLimit(edge: WallTime) -> Duration? {
        if let early = script.earlyReturn, edge >= occasion.start + early.after { return early.limit }
        return script.playoutLimit
    }

    private func words(_ words: [String], odd: String) -> AttributeValue? {
        let all = words.map { $0.uppercased() } + (script.hasOddities ? [odd] : [])
        return all.isEmpty ? nil : .quoted(all.joined(separator: ","))
    }

    /// Undefined values, which clients must ignore (bis-22 D.2).
    private func addOddities(_ attributes: inout [String: AttributeValue]) {
        let odd = [
            InterstitialName.contentMayVary: "MAYBE",
            InterstitialName.timelineOccupies: "SPHERE",
            InterstitialName.timelineStyle: "STRIPED",
            "X-COM-EXAMPLE-UNKNOWN": "lacks meaning",
        ]
        for (name, value) in odd where attributes[name] == nil { attributes[name] = .quoted(value) }
    }

    private static func word(_ word: some RawRepresentable<String>) -> AttributeValue {
        .quoted(word.rawValue.uppercased())
    }

    private static func seconds(_ duration: Duration) -> AttributeValue {
        .number(SecondsText.shortest(duration.wholeMicroseconds))
    }
}

/// Repeated from bis-22 appendices D and F on purpose: the tested client must not share a typing mistake.
enum InterstitialName {
    static let interstitialClass = "com.apple.hls.interstitial"
    static let preloadClass = "com.apple.hls.preload"

    static let assetURI = "X-ASSET-URI"
    static let assetList = "X-ASSET-LIST"
    static let resumeOffset = "X-RESUME-OFFSET"
    static let playoutLimit = "X-PLAYOUT-LIMIT"
    static let snap = "X-SNAP"
    static let restrict = "X-RESTRICT"
    static let contentMayVary = "X-CONTENT-MAY-VARY"
    static let timelineOccupies = "X-TIMELINE-OCCUPIES"
    static let timelineStyle = "X-TIMELINE-STYLE"
    static let skipOffset = "X-SKIP-CONTROL-OFFSET"
    static let skipDuration = "X-SKIP-CONTROL-DURATION"
    static let skipLabel = "X-SKIP-CONTROL-LABEL-ID"
    /// SVTA 2053-2; base64 of its JSON, as Shaka Player reads it (lib/ads/svta_interstitial_parser.js).
    static let signalling = "X-AD-CREATIVE-SIGNALING"

    static let preloadURI = "X-URI"
    static let preloadTarget = "X-TARGET-ID"
    static let preloadTargetClass = "X-TARGET-CLASS"

    static let interstitialParameter = "_HLS_interstitial_id"
    static let primaryParameter = "_HLS_primary_id"
    /// Named as in tokens of pod serving.
    static let podNumberParameter = "pod_id"
    static let startOffsetParameter = "_HLS_start_offset"
}
