import AdServing
import HLS
import Profile

extension InterstitialScript {
    static func list(reading section: ProfileSection, at key: String) -> [InterstitialScript] {
        var scripts: [InterstitialScript] = []
        var number = 0
        _ = section.sections(key, isLoose: true) { entry in
            number += 1
            let fields = ScriptFields(reading: entry, over: ScriptFields(number: number))
            let id = fields.script.id.text
            entry.rule("id", isBroken: scripts.contains { $0.id.text == id }) {
                "id \"\(id)\" is used twice; an ID must be unique (bis-22 4.4.5.1)"
            }
            scripts.append(fields.script)
        }
        return scripts
    }

    static func schema() -> SchemaNode { ScriptFields.schema() }
}

private struct ScriptFields: ProfileFields {
    static let usual = ScriptFields()

    var number = 1
    var script = InterstitialScript(id: .usual, schedule: nil, assets: [.seconds(10)])
    var times = PlannedTimes.usual
    var id: IdentifierTemplate?
    var count: Int?
    var lengths: [Duration]?

    static func fields(_ f: inout FieldTable<Self>) {
        f["id", \.id, .identifier] = "How IDs are made; an ID is never used for a second interstitial."
        f.include(\.times)
        f["assets", \.count, .integer(1...100)] = "How many assets it has."
        f[
            "assetDuration",
            \.lengths,
            .list(of: .duration(.seconds(1) ... .seconds(PodLimits.maximumSeconds)), isLoose: true)
        ] = "Length of all assets alike, or a list with the length of each."
        f["delivery", \.script.delivery, .choice] = "How the tag names its content."
        f["duration", \.script.lengthAttribute, .choice] = "Which attribute tells the length."
        f["listReference", \.script.listReference, .choice] = "How X-ASSET-LIST spells its URI."
        f["resumeOffset", \.script.resumeOffset, .signed(atMost: .seconds(3_600))] = "X-RESUME-OFFSET."
        f["playoutLimit", \.script.playoutLimit, .positive(.seconds(3_600))] = "X-PLAYOUT-LIMIT."
        f["earlyReturn", \.script.earlyReturn, .section] =
            "An X-PLAYOUT-LIMIT that a later version of the playlist adds."
        f["restrict", \.script.restrict, .words()] = "X-RESTRICT."
        f["snap", \.script.snap, .words()] = "X-SNAP."
        f["cue", \.script.cue, .words()] = "CUE."
        f["contentMayVary", \.script.contentMayVary, .boolean] = "X-CONTENT-MAY-VARY."
        f["timelineOccupies", \.script.timelineOccupies, .choice] = "X-TIMELINE-OCCUPIES."
        f["timelineStyle", \.script.timelineStyle, .choice] = "X-TIMELINE-STYLE."
        f["skipControl", \.script.skipControl, .section] = "When and how a player offers to skip (bis-22 D.3)."
        f["preload", \.script.preload, .section] = "A com.apple.hls.preload range (bis-22 appendix F)."
        f["announce", \.script.announce, .duration(.zero ... .seconds(3_600))] =
            "How long before its start, counted from the live edge, it is in the playlist; left out, as breaks are."
        f["together", \.script.together, .integer(1...16)] =
            "Interstitials with the same start, played back to back in the order of their tags."
        f["cancel", \.script.cancel, .duration(.zero ... .seconds(3_600))] =
            "The tag disappears again this long before the start, counted from the live edge."
        f["oddities", \.script.hasOddities, .boolean] =
            "Words in the enumerated attributes that no version of the specification knows."
        f.add(
            "beacons",
            "Where ad creative signalling stands: true for both places that the delivery has, or a list of them.",
            schema: .oneOf([.type("boolean"), .list(of: ScalarRule<InterstitialScript.SignallingPlace>.choice.schema)]),
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
        f["numbersPods", \.script.numbersPods, .boolean] =
            "The URI names the pod by the interstitial's ordinal, as pod serving's `pod/{n}` does."
    }

    mutating func settle(_ section: ProfileSection) {
        let isAlways = script.cue.contains(.pre) || script.cue.contains(.post)
        let standard = "interstitial-\(number)" + (isAlways ? "" : "-{start}") + (script.together > 1 ? "-{i}" : "")
        script.id = id ?? IdentifierTemplate(standard) ?? .usual
        let each = lengths ?? [.seconds(10)]
        script.assets = each.count == 1 ? Array(repeating: each[0], count: count ?? 1) : each
        script.schedule = isAlways ? nil : times.schedule(duration: script.length)
        judgeTimes(section, isAlways)
        for (isBroken, message) in conflicts(isAlways) {
            section.reading.rule(section.path, isBroken: isBroken) { message }
        }
    }

    private func judgeTimes(_ section: ProfileSection, _ isAlways: Bool) {
        if isAlways {
            let isTimed = section.has("every") || section.has("at")
            section.reading.rule(section.path, isBroken: isTimed) { "a pre-roll or post-roll has no every and no at" }
        } else {
            times.judge(section, "an interstitial needs every, at, or cue: pre")
        }
        let listed = lengths?.count ?? 1
        section.rule("assetDuration", isBroken: lengths?.isEmpty ?? false) { "assetDuration must not be empty" }
        section.rule("assets", "assetDuration", isBroken: listed > 1 && count != nil && count != listed) {
            "assets is \(count ?? 0), but assetDuration lists \(listed)"
        }
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
    static let usual = InterstitialScript.EarlyReturn()

    static func fields(_ f: inout FieldTable<Self>) {
        f["after", \.after, .positive(.seconds(3_600)), .required] =
            "How far past the start the live edge is when the limit is added."
        f["limit", \.ownLimit, .positive(.seconds(3_600))] = "The limit; left out, as after."
    }
}

extension InterstitialScript.Preload: ProfileFields {
    static let usual = InterstitialScript.Preload()

    static func fields(_ f: inout FieldTable<Self>) {
        f["length", \.length, .positive(.seconds(3_600)), .required] = "It ends at the interstitial's start."
        f["order", \.order, .choice] = "Whether its tag stands before or after its target's."
        f["ahead", \.ahead, .duration(.zero ... .seconds(3_600))] =
            "How much earlier than its target's its tag appears."
    }
}

extension InterstitialScript.SkipControl: ProfileFields {
    static let usual = InterstitialScript.SkipControl()

    static func fields(_ f: inout FieldTable<Self>) {
        f["offset", \.offset, .integer(0...3_600)] = "When skipping is offered, in whole seconds."
        f["duration", \.duration, .integer(0...3_600)] = "How long it is."
        f["label", \.label, .label] = "Its label (bis-22 D.3)."
        f["in", \.place, .choice] = "Where it is said."
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
