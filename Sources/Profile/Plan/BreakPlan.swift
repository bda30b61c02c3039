package import AdServing
import Rules
import Values

/// Source, identifiers and request times of breaks.
package struct BreakPlan: Sendable, Equatable, ProfileFields {
    package enum Trigger: String, Sendable, CaseIterable {
        case rendezvous, playhead
        /// When the programme is buffered up to the break, as AVPlayer prepares the item of an event (WWDC21 session 10140).
        case buffered
    }

    package enum Clock: String, Sendable, CaseIterable {
        case wall
        /// AVPlayerInterstitialEvent.time, fixed when the viewer schedules the break (IMA DAI guide, "Schedule ad insertions").
        case player
    }

    /// AVPlayerInterstitialEvent.restrictions of a viewer's own pod; without any, an application may cancel the event.
    package enum Skipping: String, Sendable, CaseIterable {
        /// The application has no control for it.
        case never
        case restricted, allowed
    }

    /// AVPlayerInterstitialEvent.resumptionOffset after a viewer's own pod.
    package enum Resumption: String, Sendable, CaseIterable {
        case live
        /// The viewer falls behind by the length of the pod.
        case zero
    }

    package var source = Source.none
    package var podIdentifier = IdentifierPolicy.synchronised
    package var identifierTemplate = "break-{start}"
    package var podDuration = Duration.seconds(10)
    package var trigger = Trigger.rendezvous
    package var lead = Duration.zero
    package var jitter = Duration.zero
    package var grace = Duration.seconds(1)
    package var preconnect = Duration.zero
    package var resumption = Resumption.live
    package var clock = Clock.wall
    package var skipping = Skipping.never
    /// Names in AVPlayerInterstitialEvent.userDefinedAttributes (WWDC21 session 10140).
    package var beaconAttributes: [String] = []
    package var playsInterstitials = false
    package var recognisesStitched = false
    package var stitchedAds: [PathPattern] = []
    package var asksForNoAds: Bool { !playsInterstitials && source == .none }
    /// `breaks: none` in the profile.
    package var areNone: Bool { asksForNoAds && !recognisesStitched }
    package var announcementTolerance = Duration.announcementTolerance

    private static func isOn(_ name: String) -> SchemaNode {
        .having(name).with("properties", .members([(name, .members([("const", .boolean(true))]))]))
    }

    package static let fields = FieldList(
        BreakPlan(),
        conditions: [("anyOf", .list([.having("source"), isOn("interstitials"), isOn("stitched")]))]
    ) { f in
        f.add("interstitials", \.playsInterstitials, .boolean, .apart)
        f.add("stitched", \.recognisesStitched, .boolean, .apart)
        f.add(
            "source",
            schema: Source.schema,
            entries: { SourceFields.entries },
            read: { section, plan in
                let mayBeAbsent = plan.playsInterstitials || plan.recognisesStitched
                plan.source = Source(reading: section, at: "source", mayBeAbsent: mayBeAbsent)
            },
            addLines: { $0.source.addLines(at: $1, to: &$2) }
        )
        f.add("podIdentifier", \.podIdentifier, .choice)
        f.add("identifierTemplate", \.identifierTemplate, template)
        f.add("podDuration", \.podDuration, .duration(.seconds(1) ... .seconds(3600)))
        f.add("trigger", \.trigger, .choice)
        let time = ScalarRule<Duration>.duration(.zero ... .seconds(600))
        f.add("lead", \.lead, time)
        f.add("jitter", \.jitter, time)
        f.add("grace", \.grace, time)
        f.add("preconnect", \.preconnect, time, .unlessUsual)
        f.add("resumption", \.resumption, .choice, .unlessUsual)
        f.add("clock", \.clock, .choice, .unlessUsual)
        f.add("skipping", \.skipping, .choice, .unlessUsual)
        f.add("beaconAttributes", \.beaconAttributes, .list(of: clientAttribute, .together))
        f.digest { plan, path, form in
            form.add("\(path).interstitials", plan.playsInterstitials ? "true" : nil)
            form.add("\(path).stitched", plan.recognisesStitched ? "true" : nil)
        }
        f.add("stitchedAds", \.stitchedAds, .list(of: piecesOfPath, .together))
        f.add("announcementTolerance", \.announcementTolerance, .duration(.zero ... .seconds(60)), .unlessUsual)
    }

    package mutating func settle(_ section: ProfileSection) {
        let isUnread = !beaconAttributes.isEmpty && !playsInterstitials
        section["beaconAttributes", "interstitials", if: isUnread] = "has no effect without interstitials: true"
        section["stitchedAds", "stitched", if: section.has("stitchedAds") && !recognisesStitched] =
            "has no effect without stitched: true"
    }

    private static var piecesOfPath: ScalarRule<PathPattern> {
        ScalarRule(
            allowed: "pieces of a path such as /v1/segment or /ads-*, with * for any text within a piece",
            schema: .pattern("^/*[^/?# ][^?# ]*$"),
            spell: \.text
        ) { text in PathPattern(text).map { .value($0) } ?? .refused("is not a path") }
    }

    private static var clientAttribute: ScalarRule<String> {
        ScalarRule.text("an attribute of a client's own, such as X-COM-EXAMPLE-BEACON").refusing {
            $0.hasPrefix("X-") ? nil : "does not begin with X-"
        }
    }

    private static let placeholders = ["start", "ordinal", "id"]

    /// Different breaks give different results.
    private static var template: ScalarRule<String> {
        let allowed = "lower-case letters, digits, '-' and at least one of {start}, {ordinal}, {id}"
        let pattern = "^[a-z0-9-]*(\\{(start|ordinal|id)\\}[a-z0-9-]*)+$"
        return .text(allowed: allowed, schema: .pattern(pattern)) { text in
            guard text.utf8.count <= 100 else { return .refused("is longer than 100 bytes") }
            var holdsPlaceholder = false
            for match in text.matches(of: /\{(?<name>[^}]*)(?<end>\}?)|[^a-z0-9\-]/) {
                guard let name = match.name, let end = match.end else {
                    return .refused("holds a character that is not allowed")
                }
                guard !end.isEmpty else { return .refused("has an unclosed {") }
                guard placeholders.contains(String(name)) else {
                    let nearest = NearestName.slip(String(name), among: placeholders).map { "{\($0)}" }
                    return .refused("has an unknown placeholder {\(ShownValue.of(String(name)))}", suggestion: nearest)
                }
                holdsPlaceholder = true
            }
            return holdsPlaceholder ? .value(text) : .refused("names every break alike")
        }
    }
}
