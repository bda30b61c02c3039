import AdServing
import Profile
import Report
import Values

/// Breaks of a draft, with the duration of a run that meets one.
struct DraftedBreaks {
    private static let shortest = Duration.seconds(60)
    /// A first rehearsal waits no longer for a break.
    private static let longest = Duration.seconds(300)

    private(set) var duration = Self.shortest
    /// Nil if viewers request no ads for announced breaks.
    private(set) var announced: SeenBreaks.Announced?
    private(set) var values: TextTemplate.Values = [:]

    init(_ facts: StreamFacts, _ target: DraftedTarget.Kind, _ secrets: ReferencedSecrets) {
        let (seen, url) = (facts.breaks, facts.address.url)
        let found = seen.likelyClass { !secrets.isRepeated(in: $0) }
        var marked: SeenBreaks.Announced?
        if case .podServing = target {
            announced = seen.interstitials.count == 0 ? found?.announced : nil
            values.set(announced == nil ? "planned" : "dateRanges")
        } else if seen.interstitials.count > 0 || target.isGuided && !seen.isEmpty {
            announced = seen.interstitials
            values.set("interstitials")
        } else {
            // Viewers request no ads: only playlists are judged.
            marked = seen.cueTags.count > 0 ? seen.cueTags : seen.dateRanges.values.max { $0.count < $1.count }
            values.set(marked == nil ? "unbroken" : "stitched")
            values.set("judgesPlaylists")
        }
        if let timed = announced ?? marked {
            let timing = Self.timing(of: timed, facts)
            duration = timing.duration
            let isCertain = timing.isDue || values["interstitials"] != nil && seen.content.hasPreRoll
            values.set("unknownTimes", if: !isCertain)
        }
        values.set("guided", if: target.isGuided)
        values.set("anyBreaks", if: !seen.isEmpty)
        values.set("cueTags", if: seen.cueTags.count > 0)
        values.set("adsElsewhere", if: !seen.content.isAllowed)
        values["seenBreaks"] = Self.words(for: facts, secrets)
        values["length"] = announced.map { [Self.length(of: $0).text] }
        // A comment is one line of at most 80 characters without a secret.
        let isTellable = secrets.all.isEmpty && url.count <= 78 && !url.contains("'")
        values["shownURL"] = [isTellable ? YAMLScalar.comment("'\(url)'") : "URL"]
        guard let (name, announced) = found else { return }
        let ofClass = name.isEmpty ? "with SCTE35-OUT" : "of this class"
        values["seenClass"] = ["\(Self.told(announced)) as EXT-X-DATERANGE \(ofClass)"]
        values["classLength"] = [Self.length(of: announced).text]
        let quoted = YAMLScalar.quoted(EnvironmentText.literal(name))
        values["source"] = [name.isEmpty ? "dateRange" : "{dateRange: {class: \(quoted)}}"]
        // For an ad server that has the pods of announced breaks.
        if case .channel = target { values.set("advice", if: seen.interstitials.count == 0) }
    }

    /// One whole round of breaks; `isDue`: the run is sure to have one.
    private static func timing(
        of announced: SeenBreaks.Announced,
        _ facts: StreamFacts
    ) -> (duration: Duration, isDue: Bool) {
        // Viewers are behind the live edge by a part of the window.
        let round = announced.cadence.map { $0 + length(of: announced) + facts.media.window + .seconds(10) }
        let seconds = min(max(round ?? shortest, shortest), longest).components.seconds
        return (.seconds((seconds + 9) / 10 * 10), round.map { $0 <= longest } ?? false)
    }

    private static func words(for facts: StreamFacts, _ secrets: ReferencedSecrets) -> [String] {
        let seen = facts.breaks
        var words = seen.isEmpty ? ["No break was announced while podswarm init looked."] : []
        if seen.interstitials.count > 0 {
            let kinds = seen.content.kinds(list: "asset lists", asset: "single assets")
            words.append("Seen: \(told(seen.interstitials)) as interstitials, with \(kinds).")
        }
        if seen.cueTags.count > 0 { words.append("Seen: \(told(seen.cueTags)) by cue tags.") }
        words += seen.classes.map { name, announced in
            let of = name.isEmpty ? "without a class" : "of the class \(YAMLScalar.comment(secrets.told(name)))"
            return "Seen: \(told(announced)) as EXT-X-DATERANGE \(of)."
        }
        let hasSecret = seen.dateRanges.keys.contains(where: secrets.isRepeated)
        let advice = "A class has a secret of the URL in it. FILL IN: source as announced, if it may be told."
        return words + (hasSecret ? [advice] : [])
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
}

/// For the bill of a run.
enum DraftedChannel {
    /// Only fields whose values a profile accepts; `announced` is nil if viewers request no ads.
    static func fields(_ facts: StreamFacts, _ announced: SeenBreaks.Announced?) -> [String] {
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
        return fields.compactMap { name, value in value.map { "\(name): \($0.text)" } }
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
