import Players
import Thresholds

extension LoadPlan {
    /// Reads the whole profile; what is wrong is replaced by something harmless and reported.
    init(reading profile: ProfileSection, defaultName: String) {
        let name = profile.value("name", .name)
        if !CharacterSets.isFileName(name ?? defaultName) && profile.isPresent && !profile.has("name") {
            profile.reportMissing("name", allowed: ScalarRule.name.allowed)
        }
        let summary = profile.value("description", .prose) ?? ""
        let seed = profile.value("seed", .seed) ?? 1
        let duration = profile.required("duration", .duration(.seconds(1) ... .seconds(2_592_000)))
        let audience = profile.requiredSection("audience", allowed: "a mapping with viewers") {
            AudiencePlan(reading: $0, over: duration ?? .seconds(2_592_000))
        }
        // Now that misspelt fields are known too, for what a target is sent.
        profile.reading.note(audience.traits, at: "audience.traits")
        let target = TargetPlan(reading: profile, at: "target")
        let impressions = ImpressionPlan(reading: profile, target: target)
        let playback = profile.section("playback") {
            PlaybackPlan(reading: $0, playsAudio: !audience.personas.isEmpty)
        }
        let breaks = BreakPlan(reading: profile, at: "breaks")
        let channel = profile.section("channel") { ExpectedChannel(reading: $0) }
        let pods = profile.section("pods") { PodPlan(reading: $0) }
        let connection = profile.section("connection") { ConnectionPlan(reading: $0) }
        let generator = profile.section("generator") { GeneratorPlan(reading: $0) }
        let windows = profile.section("windows") { WindowPlan(reading: $0) }
        let thresholds = [PlannedThreshold](reading: profile, at: "thresholds")
        let abort = profile.section("abort") { Self.abort(reading: $0) }
        self.init(
            name: name ?? defaultName,
            summary: summary,
            seed: seed,
            duration: duration ?? .seconds(2_592_000),
            target: target,
            audience: audience,
            playback: playback,
            breaks: breaks,
            pods: pods,
            connection: connection,
            generator: generator,
            windows: windows,
            thresholds: thresholds,
            abort: abort.when,
            abortAfter: abort.after,
            allowedFindings: [String: FindingAllowance](reading: profile, at: "allowFindings"),
            digest: "",
            impressions: impressions,
            channel: channel
        )
    }

    private static func abort(reading section: ProfileSection) -> (when: [PlannedThreshold], after: Duration) {
        let after = section.value("after", .duration(.zero ... .seconds(2_592_000))) ?? .seconds(30)
        let when = [PlannedThreshold](reading: section, at: "when")
        if section.isPresent && !section.has("when") {
            section.reportMissing(
                "when",
                allowed: "a list of conditions that end the run, such as \"playlist.errors > 20%\""
            )
        }
        return (when, after)
    }
}
