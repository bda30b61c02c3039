import HLS
import Values

/// Writes the EXT-X-DATERANGE tags of one interstitial (bis-22 appendices D and F).
struct InterstitialTag: Sendable {
    let script: InterstitialScript
    let occasion: InterstitialOccasion
    let place: Int
    let base: String
    let list: @Sendable (String) -> String

    var identifier: String { script.identifier(occasion, place: place) }

    /// The URI in the tag; a preload range repeats it (appendix F).
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
        if let control = script.skipControl, !control.inList {
            attributes[InterstitialName.skipOffset] = .number(String(control.offset))
            attributes[InterstitialName.skipDuration] = control.duration.map { .number(String($0)) }
            attributes[InterstitialName.skipLabel] = control.label.map { .quoted($0) }
        }
        if script.signalling.contains(.tag) {
            let json = SignallingBody(script: script, identifier: identifier, base: base).tag
            attributes[InterstitialName.signalling] = .quoted(Base64.text(json))
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

    /// Range before the start, in which each viewer requests at a time of its own.
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

    /// Values that no version of the specification defines; clients must treat them as absent (bis-22 D.2).
    private func addOddities(_ attributes: inout [String: AttributeValue]) {
        let odd = [
            InterstitialName.contentMayVary: "MAYBE",
            InterstitialName.timelineOccupies: "SPHERE",
            InterstitialName.timelineStyle: "STRIPED",
            "X-COM-EXAMPLE-UNKNOWN": "of no meaning",
        ]
        for (name, value) in odd where attributes[name] == nil { attributes[name] = .quoted(value) }
    }

    private static func word(_ word: some RawRepresentable<String>) -> AttributeValue {
        .quoted(word.rawValue.uppercased())
    }

    /// The shortest exact signed decimal-floating-point number.
    private static func seconds(_ duration: Duration) -> AttributeValue {
        let milliseconds = duration.wholeMicroseconds / 1_000
        let (whole, rest) = milliseconds.magnitude.quotientAndRemainder(dividingBy: 1_000)
        let fraction = rest == 0 ? "" : ".\(String(rest).leftPadded(to: 3))"
        return .number("\(milliseconds < 0 ? "-" : "")\(whole)\(fraction)")
    }
}

/// Wire names of interstitials (bis-22 appendices D and F), repeated here on purpose: the origin must not share a typing
/// mistake with the client that is tested with it.
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
    /// Number of the pod, named as in tokens of pod serving.
    static let podNumberParameter = "pod_id"
    static let startOffsetParameter = "_HLS_start_offset"
}
