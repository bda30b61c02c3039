import AdServing
import Profile
import Report
import Values

/// Each part depends on the others.
struct DraftedBreaks {
    private static let shortest = Duration.seconds(60)
    /// A first rehearsal waits no longer for a break.
    private static let longest = Duration.seconds(300)

    let duration: Duration
    /// Includes the `breaks:` line.
    let breaks: [String]
    let thresholds: [String]
    /// Nil if viewers request no ads for announced breaks.
    private(set) var announced: SeenBreaks.Announced?

    init(_ facts: StreamFacts, _ target: DraftedTarget.Kind, _ secrets: ReferencedSecrets) {
        let words = Self.words(for: facts, secrets)
        let seen = facts.breaks
        if case .podServing = target {
            guard let found = seen.likelyClass({ !secrets.isRepeated(in: $0) }), seen.interstitials.count == 0 else {
                self.init(plannedFor: facts, words)
                return
            }
            self.init(announced: found.announced, facts, Self.source(of: found))
            return
        }
        guard seen.interstitials.count > 0 || target.isGuided && !seen.isEmpty else {
            self.init(stitched: facts, words, recipe: target.isGuided ? Self.guidedRecipe : Self.recipe(facts, secrets))
            return
        }
        let lines = texts {
            words
            if !seen.content.isAllowed {
                "  # FILL IN: authorisedHosts, with the hosts of their assets and asset lists. Without them no ad is asked for, and the"
                "  # run fails."
            }
            "  interstitials: true"
            if seen.cueTags.count > 0 { "  stitched: true" }
        }
        self.init(announced: seen.interstitials, facts, lines, isCertain: seen.content.hasPreRoll)
    }

    /// The channel announced no breaks.
    private init(plannedFor facts: StreamFacts, _ words: [String]) {
        duration = Self.shortest
        breaks = texts {
            "breaks:"
            words
            if !facts.breaks.isEmpty {
                "  # That is not used: an ad server is asked for pods of date ranges, while interstitials name their ads themselves"
                "  # and cue tags have no id."
            }
            "  # FILL IN: where yours are announced, source: {dateRange: …}; these two are the viewers' own, at these times after"
            "  # the start of the run."
            "  source: {list: [20s, 45s]}"
            "  podDuration: 10s"
        }
        thresholds = ["  - breaks.on_time >= 99%", "  - playlist.errors < 1%"]
    }

    private init(announced: SeenBreaks.Announced, _ facts: StreamFacts, _ lines: [String], isCertain: Bool = false) {
        let length = Self.length(of: announced)
        let timing = Self.timing(of: announced, facts)
        self.announced = announced
        breaks = texts {
            "breaks:"
            lines
            "  # As long as what was announced, where a break does not say."
            "  podDuration: \(length.text)"
        }
        duration = timing.duration
        thresholds = texts {
            if !isCertain, !timing.isDue { Self.unknownTimes }
            "  - breaks.on_time >= 99%"
            "  - playlist.errors < 1%"
        }
    }

    private static let unknownTimes = [
        "  # How often breaks come is not known, and a run in which no viewer is due at any break fails. FILL IN: a duration that",
        "  # has one.",
    ]

    /// One whole round of breaks; `isDue`: the run is sure to have one.
    private static func timing(
        of announced: SeenBreaks.Announced,
        _ facts: StreamFacts
    ) -> (duration: Duration, isDue: Bool) {
        // Viewers are behind the live edge by a part of the window.
        let round = announced.cadence.map { $0 + length(of: announced) + facts.media.window + .seconds(10) }
        let duration = inTens(min(max(round ?? shortest, shortest), longest))
        return (duration, round.map { $0 <= longest } ?? false)
    }

    /// Viewers request no ads: only playlists are judged.
    private init(stitched facts: StreamFacts, _ words: [String], recipe: [String]) {
        let seen = facts.breaks
        let marked = seen.cueTags.count > 0 ? seen.cueTags : seen.dateRanges.values.max { $0.count < $1.count }
        let timing = marked.map { Self.timing(of: $0, facts) }
        duration = timing?.duration ?? Self.shortest
        breaks = texts {
            if timing == nil {
                words.map { String($0.dropFirst(2)) }
                "# Playlists are all that is tested: a run of breaks: none passes without a break."
                recipe
                "breaks: none"
            } else {
                "breaks:"
                words
                "  # Ads that are part of the channel: breaks are known by cue tags or date ranges, and their segments are compared"
                "  # between viewers. A run in which no viewer is due at any break fails."
                "  stitched: true"
            }
        }
        thresholds = texts {
            if let timing {
                if !timing.isDue { Self.unknownTimes }
                "  - breaks.on_time >= 99%"
            }
            "  # Besides these, playlist.errors < 1% must hold."
            facts.ladder == nil ? "  - viewers.joined >= 1" : "  - multivariant.errors < 1%"
        }
    }

    private static let guidedRecipe = [
        "# The playlists of a session name ads as interstitials once a break comes. To test them, in place of the line below:",
        "#",
        "#   breaks: {interstitials: true}",
    ]

    private static func recipe(_ facts: StreamFacts, _ secrets: ReferencedSecrets) -> [String] {
        let url = facts.address.url
        // A comment is one line of at most 80 characters without a secret.
        let isTellable = secrets.all.isEmpty && url.count <= 78 && !url.contains("'")
        let shown = isTellable ? YAMLScalar.comment("'\(url)'") : "URL"
        return [
            "# Breaks of your own, with pods of podswarm's own origin: start it, and draft again with its event. Viewers then",
            "# request a pod at each break of breaks.source.",
            "#",
            "#   podswarm origin --port 8090",
            "#   podswarm init \(shown) --network-code 21775744923 --asset-key sgai-hls-live \\",
            "#     --ad-server http://127.0.0.1:8090",
        ]
    }

    private static func source(of found: (name: String, announced: SeenBreaks.Announced)) -> [String] {
        [
            "  # Seen: \(told(found.announced)) as EXT-X-DATERANGE\(found.name.isEmpty ? " with SCTE35-OUT" : " of this class").",
            "  source: \(source(named: found.name))",
            "  # Each viewer asks when its own playhead is this long before the break. FILL IN: as your players do.",
            "  trigger: playhead", "  lead: 2s", "  jitter: 1s",
        ]
    }

    /// An empty name stands for date ranges without a class.
    static func source(named name: String) -> String {
        name.isEmpty ? "dateRange" : "{dateRange: {class: \(YAMLScalar.quoted(EnvironmentText.literal(name)))}}"
    }

    @Texts private static func words(for facts: StreamFacts, _ secrets: ReferencedSecrets) -> [String] {
        let seen = facts.breaks
        if seen.isEmpty { "  # No break was announced while podswarm init looked." }
        if seen.interstitials.count > 0 {
            let kinds = texts {
                if seen.content.lists > 0 { "asset lists" }
                if seen.content.assets > 0 { "single assets" }
            }
            "  # Seen: \(told(seen.interstitials)) as interstitials, with \(kinds.joined(separator: " and "))."
        }
        if seen.cueTags.count > 0 { "  # Seen: \(told(seen.cueTags)) by cue tags." }
        for (name, announced) in seen.dateRanges.sorted(by: { $0.key < $1.key }) {
            let of = name.isEmpty ? "without a class" : "of the class \(YAMLScalar.comment(secrets.told(name)))"
            "  # Seen: \(told(announced)) as EXT-X-DATERANGE \(of)."
        }
        if seen.dateRanges.keys.contains(where: secrets.isRepeated) {
            "  # A class has a secret of the URL in it. FILL IN: source as announced, if it may be told."
        }
    }

    static func told(_ announced: SeenBreaks.Announced) -> String {
        var words = TextLayout.counted(announced.count, "break")
        if let length = announced.usualLength { words += " of \(inMilliseconds(length).text)" }
        // Starts are rounded to milliseconds and frames: 39.999 s are 40 s.
        if let cadence = announced.cadence {
            words += ", one every \(Duration.milliseconds(Int64((cadence / .milliseconds(100)).rounded()) * 100).text)"
        }
        return words
    }

    /// Within the limits of `podDuration`.
    static func length(of announced: SeenBreaks.Announced) -> Duration {
        inMilliseconds(min(max(announced.usualLength ?? .seconds(10), .seconds(1)), .seconds(3_600)))
    }

    static func inMilliseconds(_ duration: Duration) -> Duration { .milliseconds(Int64(duration / .milliseconds(1))) }

    private static func inTens(_ duration: Duration) -> Duration {
        .seconds((duration.components.seconds + 9) / 10 * 10)
    }
}

/// For the bill of a run.
enum DraftedChannel {
    /// Only fields whose values a profile accepts; `announced` is nil if viewers request no ads.
    static func lines(_ facts: StreamFacts, _ announced: SeenBreaks.Announced?) -> [String] {
        var fields: [(name: String, value: Duration?)] = [
            ("targetDuration", facts.media.targetDuration.held(in: ExpectedChannel.targetDurations))
        ]
        let interval = announced?.cadence.map(DraftedBreaks.inMilliseconds)?.held(in: ExpectedChannel.breakIntervals)
        let length = announced?.usualLength.map(DraftedBreaks.inMilliseconds)?
            .held(in: ExpectedChannel.breakDurations)?.held(in: .seconds(1)...(interval ?? .seconds(3_600)))
        if let interval {
            fields.append(("breakInterval", interval))
            fields.append(("breakOffset", announced?.firstStart.map { offset(of: $0, from: interval) }))
        }
        if let length {
            fields.append(("breakDuration", length))
            let ads = facts.breaks.content.assetsInList ?? 0
            let ad = ads > 0 ? DraftedBreaks.inMilliseconds(length / ads) : nil
            fields.append(("adDuration", ad?.held(in: ExpectedChannel.breakDurations)))
        }
        let written = fields.compactMap { name, value in value.map { "  \(name): \($0.text)" } }
        guard !written.isEmpty else { return [] }
        let comment = "  # Seen; podswarm plan and the bill before a run need it. --repeat and soak start by it."
        return ["channel:", comment] + written + [""]
    }

    /// From the last multiple of `interval` since the Unix epoch.
    private static func offset(of start: WallTime, from interval: Duration) -> Duration {
        let step = max(interval.nanosecondsHeld / 1_000_000, 1)
        let milliseconds = start.microseconds / 1_000 % step
        return .milliseconds(milliseconds < 0 ? milliseconds + step : milliseconds)
    }
}

extension Duration {
    fileprivate func held(in range: ClosedRange<Duration>) -> Duration? { range.contains(self) ? self : nil }
}
