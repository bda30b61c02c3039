import AdServing
import HLS
import Yams

extension InterstitialScript {
    private static let keys = [
        "id", "every", "offset", "at", "delivery", "assets", "assetDuration", "duration", "listReference",
        "resumeOffset", "playoutLimit", "earlyReturn", "restrict", "snap", "cue", "contentMayVary", "timelineOccupies",
        "timelineStyle", "skipControl", "preload", "announce", "together", "cancel", "oddities", "beacons",
        "numbersPods",
    ]

    /// Reads the section `interstitials`: a list of scripts.
    static func list(in root: PlanNode) -> [InterstitialScript] {
        guard let section = root["interstitials"] else { return [] }
        var scripts: [InterstitialScript] = []
        for (index, node) in section.elements.enumerated() {
            guard let script = read(node, number: index + 1) else { continue }
            if scripts.contains(where: { $0.id.text == script.id.text }) {
                node.note("id \"\(script.id.text)\" is used twice; an ID must be unique (bis-22 4.4.5.1)")
            }
            scripts.append(script)
        }
        return scripts
    }

    private static func read(_ node: PlanNode, number: Int) -> InterstitialScript? {
        node.refuseUnknownKeys(allowed: keys)
        let cue: [CueWord] = node.choices("cue") ?? []
        let isAlways = cue.contains(.pre) || cue.contains(.post)
        let together = node.integer("together", 1...16) ?? 1
        let standard = "interstitial-\(number)" + (isAlways ? "" : "-{start}") + (together > 1 ? "-{i}" : "")
        guard let template = IdentifierTemplate(node.text("id") ?? standard) else {
            node.note("id must be of letters, digits, '-', '_', '.', '~' and the places {n}, {start} and {i}")
            return nil
        }
        let assets = assets(node)
        let length = assets.reduce(.zero, +)
        let schedule = schedule(node, isAlways, length: length)
        var script = InterstitialScript(id: template, schedule: schedule, assets: assets)
        script.cue = cue
        script.together = together
        script.readTag(node)
        script.readTiming(node)
        script.check(node, isAlways: isAlways)
        return script
    }

    /// Where no length is given there is one asset of ten seconds.
    private static func assets(_ node: PlanNode) -> [Duration] {
        let bounds = Duration.seconds(1)...Duration.seconds(PodLimits.maximumSeconds)
        guard let lengths = node["assetDuration"], lengths.node.sequence != nil else {
            let each = node.duration("assetDuration", bounds) ?? .seconds(10)
            return Array(repeating: each, count: node.integer("assets", 1...100) ?? 1)
        }
        let listed = lengths.durations(bounds)
        if let count = node.integer("assets", 1...100), count != listed.count {
            node.note("assets is \(count), but assetDuration lists \(listed.count)")
        }
        if listed.isEmpty { lengths.note("assetDuration must not be empty") }
        return listed.isEmpty ? [.seconds(10)] : listed
    }

    private static func schedule(_ node: PlanNode, _ isAlways: Bool, length: Duration) -> BreakSchedule? {
        let every = node.duration("every", .seconds(1)...Duration.seconds(86_400))
        let offset = node.duration("offset", .zero...Duration.seconds(86_400))
        let at = node["at"]
        if isAlways {
            if node["every"] != nil || at != nil { node.note("a pre-roll or post-roll has no every and no at") }
            return nil
        }
        if let at {
            if node["every"] != nil { node.note("give every or at, not both") }
            return .list(at.instants(), duration: length)
        }
        guard let every else {
            if node["every"] == nil { node.note("an interstitial needs every, at, or cue: pre") }
            return nil
        }
        return .every(
            interval: every,
            epoch: WallTime(microseconds: 0),
            firstOffset: offset ?? .zero,
            duration: length
        )
    }

    private mutating func readTag(_ node: PlanNode) {
        let signed = Duration.seconds(-3_600)...Duration.seconds(3_600)
        delivery = node.choice("delivery") ?? .list
        lengthAttribute = node.choice("duration") ?? .duration
        listReference = node.choice("listReference") ?? .relative
        resumeOffset = node.duration("resumeOffset", signed)
        playoutLimit = node.duration("playoutLimit", .milliseconds(1)...Duration.seconds(3_600))
        restrict = node.choices("restrict") ?? []
        snap = node.choices("snap") ?? []
        contentMayVary = node.boolean("contentMayVary")
        timelineOccupies = node.choice("timelineOccupies")
        timelineStyle = node.choice("timelineStyle")
        hasOddities = node.boolean("oddities") ?? false
        numbersPods = node.boolean("numbersPods") ?? false
        signalling = Self.signalling(node)
        if let control = node["skipControl"] {
            control.refuseUnknownKeys(allowed: ["offset", "duration", "label", "in"])
            let place: SignallingPlace? = control.choice("in")
            skipControl = SkipControl(
                offset: control.integer("offset", 0...3_600) ?? 0,
                duration: control.integer("duration", 0...3_600),
                label: control.text("label"),
                inList: place == .list
            )
            let label = skipControl?.label ?? ""
            // bis-22 D.3.
            let isLabel: (Character) -> Bool = { $0.isASCII && $0.isLetter || $0 == "_" || $0 == "-" }
            if !label.allSatisfy(isLabel) { control.note("label must be of ASCII letters, '_' and '-'") }
        }
    }

    /// `true` stands for both places that the delivery has.
    private static func signalling(_ node: PlanNode) -> [SignallingPlace] {
        guard let beacons = node["beacons"] else { return [] }
        if let isOn = beacons.node.bool { return isOn ? SignallingPlace.allCases : [] }
        return node.choices("beacons") ?? []
    }

    private mutating func readTiming(_ node: PlanNode) {
        let bounds = Duration.zero...Duration.seconds(3_600)
        announce = node.duration("announce", bounds)
        cancel = node.duration("cancel", bounds)
        if let early = node["earlyReturn"] {
            early.refuseUnknownKeys(allowed: ["after", "limit"])
            if let after = early.duration("after", .milliseconds(1)...Duration.seconds(3_600)) {
                let limit = early.duration("limit", .milliseconds(1)...Duration.seconds(3_600))
                earlyReturn = EarlyReturn(after: after, limit: limit ?? after)
            } else if early["after"] == nil {
                early.note("earlyReturn needs after")
            }
        }
        if let range = node["preload"] {
            range.refuseUnknownKeys(allowed: ["length", "order", "ahead"])
            if let length = range.duration("length", .milliseconds(1)...Duration.seconds(3_600)) {
                let order: Preload.Order? = range.choice("order")
                let ahead = range.duration("ahead", bounds)
                preload = Preload(length: length, order: order ?? .before, ahead: ahead ?? .zero)
            } else if range["length"] == nil {
                range.note("preload needs length")
            }
        }
    }

    private func check(_ node: PlanNode, isAlways: Bool) {
        if !isAlways, !id.namesOccasion {
            node.note("id must contain {n} or {start}: an ID is never used for a second interstitial (bis-22 4.4.5.1)")
        }
        if together > 1, !id.namesPlace { node.note("id must contain {i} where interstitials start together") }
        if delivery == .uri, assets.count > 1 { node.note("delivery: uri has one asset") }
        if cue.contains(.pre), cue.contains(.post) { node.note("cue cannot be both pre and post (bis-22 4.4.5.1)") }
        if isAlways, preload != nil || cancel != nil || earlyReturn != nil {
            node.note("a pre-roll or post-roll has no preload, cancel or earlyReturn")
        }
        if let earlyReturn, earlyReturn.limit >= length {
            node.note("the limit of earlyReturn must be below the length of the assets")
        }
        if earlyReturn != nil, playoutLimit != nil { node.note("give playoutLimit or earlyReturn, not both") }
        if let cancel, cancel > announce ?? .seconds(3_600) { node.note("cancel must not be longer than announce") }
        if case .every(let interval, _, _, _) = schedule, interval < length * together {
            node.note("every must not be shorter than the interstitials themselves")
        }
    }
}
