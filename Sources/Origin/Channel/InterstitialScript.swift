import AdServing
import HLS
import Profile
import Values

/// Nil attributes are omitted (bis-22 appendix D).
struct InterstitialScript: Sendable, Equatable {
    enum Delivery: String, CaseIterable, Sendable {
        case list
        /// X-ASSET-URI.
        case uri
    }

    enum LengthAttribute: String, CaseIterable, Sendable {
        case duration, planned, none
    }

    /// For X-ASSET-LIST; X-ASSET-URI is always absolute (bis-22 D.2).
    enum ReferenceForm: String, CaseIterable, Sendable {
        case relative, absolute
    }

    /// Place of ad creative signaling (SVTA 2053-2).
    enum SignallingPlace: String, CaseIterable, Sendable {
        case list, tag
    }

    enum Restriction: String, CaseIterable, Sendable {
        case skip, jump
    }

    enum Snap: String, CaseIterable, Sendable {
        case out, `in`
    }

    enum CueWord: String, CaseIterable, Sendable {
        case pre, post, once
    }

    enum Occupies: String, CaseIterable, Sendable {
        case point, range
    }

    enum Style: String, CaseIterable, Sendable {
        case highlight, primary
    }

    /// X-PLAYOUT-LIMIT in a later version of the playlist.
    struct EarlyReturn: Sendable, Equatable {
        var after = Duration.zero
        /// Nil for `after`.
        var ownLimit: Duration?
        var limit: Duration { ownLimit ?? after }
    }

    /// A player's skip button (bis-22 D.3), in whole seconds.
    struct SkipControl: Sendable, Equatable {
        var offset = 0
        var duration: Int?
        var label: String?
        /// The asset list overrides the tag.
        var place = SignallingPlace.tag
        var inList: Bool { place == .list }
    }

    /// A com.apple.hls.preload range that ends at the interstitial's start (bis-22 appendix F).
    struct Preload: Sendable, Equatable {
        enum Order: String, CaseIterable, Sendable {
            case before, after
        }

        var length = Duration.zero
        var order = Order.before
        var ahead = Duration.zero
    }

    var id: IdentifierTemplate
    /// Nil for one that is always listed, such as a pre-roll.
    var schedule: BreakSchedule?
    /// In order; never empty.
    var assets: [Duration]
    var delivery = Delivery.list
    var lengthAttribute = LengthAttribute.duration
    var listReference = ReferenceForm.relative
    var resumeOffset: Duration?
    var playoutLimit: Duration?
    var earlyReturn: EarlyReturn?
    var restrict: [Restriction] = []
    var snap: [Snap] = []
    var cue: [CueWord] = []
    var contentMayVary: Bool?
    var timelineOccupies: Occupies?
    var timelineStyle: Style?
    var skipControl: SkipControl?
    var preload: Preload?
    var announce: Duration?
    var together = 1
    var cancel: Duration?
    var hasOddities = false
    var numbersPods = false
    /// Attribute of the client's own that holds a URL.
    var beaconAttribute: String?
    var signalling: [SignallingPlace] = []
    /// A single element, not an array, as some servers write it.
    var hasBareSignalling = false

    var length: Duration { assets.reduce(.zero, +) }

    /// Interstitials that start together share an occasion.
    func occasions(in range: Range<WallTime>) -> [InterstitialOccasion] {
        guard let schedule else { return [.always] }
        return schedule.breaks(in: range).map { InterstitialOccasion(start: $0.start, ordinal: $0.ordinal) }
    }

    func identifier(_ occasion: InterstitialOccasion, place: Int) -> String {
        id.identifier(ordinal: occasion.ordinal, start: occasion.start.epochSeconds, place: place)
    }

    func find(_ identifier: String) -> (occasion: InterstitialOccasion, place: Int)? {
        guard let reading = id.read(identifier) else { return nil }
        let place = reading.place.map { Int(clamping: $0) } ?? 0
        guard (0..<together).contains(place), let occasion = occasion(of: reading),
            self.identifier(occasion, place: place) == identifier
        else { return nil }
        return (occasion, place)
    }

    private func occasion(of reading: IdentifierTemplate.Reading) -> InterstitialOccasion? {
        guard let schedule else { return .always }
        if let seconds = reading.startSeconds {
            guard seconds < 1 << 40 else { return nil }
            let second = WallTime(microseconds: seconds * 1_000_000)
            return occasions(in: second..<second + .seconds(1)).first
        }
        // Without an occasion in its IDs, a script has a single one.
        guard let ordinal = reading.ordinal ?? (id.namesOccasion ? nil : 1) else { return nil }
        let scheduled = schedule.scheduled(ordinal: Int(clamping: ordinal))
        return scheduled.map { InterstitialOccasion(start: $0.start, ordinal: $0.ordinal) }
    }
}

struct InterstitialOccasion: Sendable, Hashable {
    let start: WallTime
    /// From 1 since the Unix epoch, or in a list; 0 without a schedule.
    let ordinal: Int

    /// Always listed, with MediaTailor's date of pre-rolls.
    static let always = InterstitialOccasion(start: WallTime(microseconds: 0), ordinal: 0)
}

/// `{n}` is the ordinal since the Unix epoch, `{start}` the start in seconds since then, `{i}` the place among equal starts.
///
/// An ID that names the occasion is never used twice (bis-22 4.4.5.1).
struct IdentifierTemplate: Sendable, Equatable {
    struct Reading: Equatable {
        var ordinal: Int64?
        var startSeconds: Int64?
        var place: Int64?
    }

    let text: String

    static let usual = IdentifierTemplate(constant: "{start}")

    init(constant text: String) { self.text = text }

    /// Nil for an unknown placeholder, or for characters that a path must escape.
    init?(_ text: String) {
        let plain = ["{n}", "{start}", "{i}"].reduce(text) { $0.replacing($1, with: "-") }
        guard !text.isEmpty, plain.utf8.allSatisfy(\.isUnreserved), text.utf8.count <= 128 else { return nil }
        self.text = text
    }

    var namesOccasion: Bool { text.contains("{n}") || text.contains("{start}") }

    var namesPlace: Bool { text.contains("{i}") }

    func identifier(ordinal: Int, start: Int64, place: Int) -> String {
        text.replacing("{n}", with: String(ordinal)).replacing("{start}", with: String(start))
            .replacing("{i}", with: String(place))
    }

    /// A number takes all digits, so the caller must make the ID again and compare.
    func read(_ identifier: some StringProtocol) -> Reading? {
        var reading = Reading()
        var (rest, template) = (Array(identifier.utf8)[...], text[...])
        while let first = template.first {
            guard first == "{" else {
                let literal = template.prefix { $0 != "{" }
                guard rest.starts(with: literal.utf8) else { return nil }
                (rest, template) = (rest.dropFirst(literal.utf8.count), template.dropFirst(literal.count))
                continue
            }
            let digits = rest.prefix(while: \.isDigit)
            guard let number = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
            rest = rest.dropFirst(digits.count)
            let name = template.dropFirst().prefix { $0 != "}" }
            switch name {
            case "n": reading.ordinal = number
            case "start": reading.startSeconds = number
            default: reading.place = number
            }
            template = template.dropFirst(name.count + 2)
        }
        return rest.isEmpty ? reading : nil
    }
}

extension InterstitialScript {
    static func list(reading section: ProfileSection, at key: String) -> [InterstitialScript] {
        var scripts: [InterstitialScript] = []
        var number = 0
        _ = section.sections(key, isLoose: true) { entry in
            number += 1
            let fields = ScriptFields(reading: entry, over: ScriptFields(number: number))
            let id = fields.script.id.text
            entry["id", if: scripts.contains { $0.id.text == id }] =
                "id \"\(id)\" is used twice; an ID must be unique (bis-22 4.4.5.1)"
            scripts.append(fields.script)
        }
        return scripts
    }
}

private struct ScriptFields: ProfileFields {
    var number = 1
    var script = InterstitialScript(id: .usual, schedule: nil, assets: [.seconds(10)])
    var times = PlannedTimes.usual
    var id: IdentifierTemplate?
    var count: Int?
    var lengths: [Duration]?

    static let fields = FieldList(ScriptFields()) { f in
        f.add("id", \.id, .identifier)
        f.include(\.times)
        f.add("assets", \.count, .integer(1...100))
        f.add(
            "assetDuration",
            \.lengths,
            .list(of: .duration(.seconds(1) ... .seconds(PodLayout.maximumSeconds)), isLoose: true)
        )
        f.add("delivery", \.script.delivery, .choice)
        f.add("duration", \.script.lengthAttribute, .choice)
        f.add("listReference", \.script.listReference, .choice)
        f.add("resumeOffset", \.script.resumeOffset, .signed(atMost: .seconds(3_600)))
        f.add("playoutLimit", \.script.playoutLimit, .positive(.seconds(3_600)))
        f.add("earlyReturn", \.script.earlyReturn, .section)
        f.add("restrict", \.script.restrict, .words())
        f.add("snap", \.script.snap, .words())
        f.add("cue", \.script.cue, .words())
        f.add("contentMayVary", \.script.contentMayVary, .boolean)
        f.add("timelineOccupies", \.script.timelineOccupies, .choice)
        f.add("timelineStyle", \.script.timelineStyle, .choice)
        f.add("skipControl", \.script.skipControl, .section)
        f.add("preload", \.script.preload, .section)
        f.add("announce", \.script.announce, .duration(.zero ... .seconds(3_600)))
        f.add("together", \.script.together, .integer(1...16))
        f.add("cancel", \.script.cancel, .duration(.zero ... .seconds(3_600)))
        f.add("oddities", \.script.hasOddities, .boolean)
        f.add(
            "beacons",
            read: { section, fields in
                if section.says("true", at: "beacons") {
                    fields.script.signalling = InterstitialScript.SignallingPlace.allCases
                } else if !section.says("false", at: "beacons") {
                    let places = section.list(
                        "beacons",
                        of: ScalarRule<InterstitialScript.SignallingPlace>.choice,
                        isLoose: true
                    )
                    fields.script.signalling = places?.map(\.value) ?? []
                }
            }
        )
        f.add("beaconAttribute", \.script.beaconAttribute, .text("a name, such as X-COM-EXAMPLE-BEACON"))
        f.add("numbersPods", \.script.numbersPods, .boolean)
    }

    mutating func settle(_ section: ProfileSection) {
        let isAlways = script.cue.contains(.pre) || script.cue.contains(.post)
        let standard = "interstitial-\(number)" + (isAlways ? "" : "-{start}") + (script.together > 1 ? "-{i}" : "")
        script.id = id ?? IdentifierTemplate(standard) ?? .usual
        let each = lengths ?? [.seconds(10)]
        script.assets = each.count == 1 ? Array(repeating: each[0], count: count ?? 1) : each
        script.schedule = isAlways ? nil : times.schedule(duration: script.length)
        judgeTimes(section, isAlways)
        for (isBroken, message) in conflicts(isAlways) { section.reading[section.path, if: isBroken] = message }
    }

    private func judgeTimes(_ section: ProfileSection, _ isAlways: Bool) {
        if isAlways {
            let isTimed = section.has("every") || section.has("at")
            section.reading[section.path, if: isTimed] = "a pre-roll or post-roll has no every and no at"
        } else {
            times.judge(section, "an interstitial needs every, at, or cue: pre")
        }
        let listed = lengths?.count ?? 1
        section["assetDuration", if: lengths?.isEmpty ?? false] = "assetDuration must not be empty"
        section["assets", "assetDuration", if: listed > 1 && count != nil && count != listed] =
            "assets is \(count ?? 0), but assetDuration lists \(listed)"
    }

    private func conflicts(_ isAlways: Bool) -> [(isBroken: Bool, message: String)] {
        let (limit, cancel) = (script.earlyReturn?.limit, script.cancel)
        let isOneOfAll = script.preload != nil || cancel != nil || script.earlyReturn != nil
        let isNamed = isAlways || script.id.namesOccasion
        return [
            (
                !isNamed,
                "id must contain {n} or {start}: an ID is never used for a second interstitial (bis-22 4.4.5.1)"
            ),
            (script.together > 1 && !script.id.namesPlace, "id must contain {i} where interstitials start together"),
            (script.delivery == .uri && script.assets.count > 1, "delivery: uri has one asset"),
            (
                script.cue.contains(.pre) && script.cue.contains(.post),
                "cue cannot be both pre and post (bis-22 4.4.5.1)"
            ),
            (isAlways && isOneOfAll, "a pre-roll or post-roll has no preload, cancel or earlyReturn"),
            (
                limit.map { $0 >= script.length } ?? false,
                "the limit of earlyReturn must be below the length of the assets"
            ),
            (limit != nil && script.playoutLimit != nil, "give playoutLimit or earlyReturn, not both"),
            (
                cancel.map { $0 > script.announce ?? .seconds(3_600) } ?? false,
                "cancel must not be longer than announce"
            ),
            (
                times.every.map { !isAlways && $0 < script.length * script.together } ?? false,
                "every must not be shorter than the interstitials themselves"
            ),
        ]
    }
}

extension InterstitialScript.EarlyReturn: ProfileFields {
    static let fields = FieldList(InterstitialScript.EarlyReturn()) { f in
        f.add("after", \.after, .positive(.seconds(3_600)), .required)
        f.add("limit", \.ownLimit, .positive(.seconds(3_600)))
    }
}

extension InterstitialScript.Preload: ProfileFields {
    static let fields = FieldList(InterstitialScript.Preload()) { f in
        f.add("length", \.length, .positive(.seconds(3_600)), .required)
        f.add("order", \.order, .choice)
        f.add("ahead", \.ahead, .duration(.zero ... .seconds(3_600)))
    }
}

extension InterstitialScript.SkipControl: ProfileFields {
    static let fields = FieldList(InterstitialScript.SkipControl()) { f in
        f.add("offset", \.offset, .integer(0...3_600))
        f.add("duration", \.duration, .integer(0...3_600))
        f.add("label", \.label, .label)
        f.add("in", \.place, .choice)
    }
}

extension ScalarRule<String> {
    fileprivate static var label: ScalarRule {
        text("ASCII letters, '_' and '-'").refusing { text in
            text.allSatisfy { $0.isASCII && $0.isLetter || $0 == "_" || $0 == "-" }
                ? nil : "is not a label"
        }
    }
}

extension ScalarRule<IdentifierTemplate> {
    fileprivate static var identifier: ScalarRule {
        ScalarRule(
            allowed: "letters, digits, '-', '_', '.', '~' and the places {n}, {start} and {i}",
            spell: \.text
        ) { text in
            IdentifierTemplate(text).map { .value($0) } ?? .refused("is not a pattern of IDs")
        }
    }
}
