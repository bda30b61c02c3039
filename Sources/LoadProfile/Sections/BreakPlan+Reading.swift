import AdServing
import ProfileSyntax
import Rulebook
import Wording

extension BreakPlan {
    /// Reads `none`, or the mapping that says where breaks come from.
    init(reading profile: ProfileSection, at key: String) {
        if profile.says("none", at: key) {
            self.init(reading: ProfileSection(path: key, node: nil, reading: profile.reading))
            source = .none
        } else {
            let allowed = "none, or a mapping with source, interstitials or stitched"
            self = profile.requiredSection(key, allowed: allowed) { BreakPlan(reading: $0) }
        }
    }

    private init(reading section: ProfileSection) {
        let playsInterstitials = section.value("interstitials", .boolean) ?? false
        let recognisesStitched = section.value("stitched", .boolean) ?? false
        self.init(
            source: Source(reading: section, at: "source", mayBeAbsent: playsInterstitials || recognisesStitched),
            podIdentifier: section.value("podIdentifier", .choice) ?? .synchronised,
            identifierTemplate: section.value("identifierTemplate", .identifierTemplate) ?? "break-{start}",
            podDuration: section.value("podDuration", .duration(.seconds(1) ... .seconds(3600))) ?? .seconds(10),
            trigger: section.value("trigger", .choice) ?? .rendezvous,
            lead: section.value("lead", .duration(.zero ... .seconds(600))) ?? .zero,
            jitter: section.value("jitter", .duration(.zero ... .seconds(600))) ?? .zero,
            grace: section.value("grace", .duration(.zero ... .seconds(600))) ?? .seconds(1),
            preconnect: section.value("preconnect", .duration(.zero ... .seconds(600))) ?? .zero,
            resumption: section.value("resumption", .choice) ?? .live,
            playsInterstitials: playsInterstitials,
            recognisesStitched: recognisesStitched,
            stitchedAds: section.list("stitchedAds", of: .piecesOfPath)?.map(\.value) ?? [],
            announcementTolerance: section.value("announcementTolerance", .duration(.zero ... .seconds(60)))
                ?? AnnouncementRule.usualTolerance
        )
        section.reading.rule(
            section.fieldPath("stitchedAds"),
            section.fieldPath("stitched"),
            isBroken: section.has("stitchedAds") && !recognisesStitched,
            message: "has no effect without stitched: true"
        )
    }
}

extension ScalarRule<PathPattern> {
    fileprivate static var piecesOfPath: ScalarRule {
        let allowed = "pieces of a path such as /v1/segment or /ads-*, with * for any text within a piece"
        return ScalarRule(shape: .text, allowed: allowed) { text in
            PathPattern(text).map { .value($0) } ?? .refused("is no path")
        }
    }
}

extension BreakPlan.Source {
    /// Reads a source, which may be left out where the channel announces breaks itself.
    fileprivate init(reading section: ProfileSection, at key: String, mayBeAbsent: Bool) {
        let each: [Self] = section.eachOf(
            key,
            mayBeAbsent: mayBeAbsent,
            shorthands: ["guideMinute", "dateRange"],
            alternatives: ["every", "guideMinute", "list", "dateRange", "trigger"]
        ) { source in
            let interval = source.value("every", .duration(.seconds(1) ... .seconds(86_400)))
            let offset = source.value("offset", .duration(.zero ... .seconds(86_400)))
            let repeats = source.section("guideMinute") { $0.value("repeats", .boolean) ?? false }
            let listed = source.sections("list", shorthand: "at") { ListedBreak(reading: $0) }
            let classAttribute = source.section("dateRange") { $0.value("class", .text()) }
            let trigger = source.section("trigger") { TriggerPlan(reading: $0) }
            source.reading.rule(
                source.fieldPath("offset"),
                isBroken: offset != nil && interval == nil,
                message: "an offset belongs to every alone"
            )
            if source.has("list") {
                return .list(listed.compactMap(\.self))
            }
            if source.has("guideMinute") {
                return .guideMinute(repeats: repeats)
            }
            if source.has("dateRange") {
                return .dateRange(classAttribute: classAttribute)
            }
            if source.has("trigger") {
                return .trigger(trigger)
            }
            guard source.isPresent || !mayBeAbsent else { return .none }
            return .every(interval: interval ?? .seconds(86_400), offset: offset ?? .zero)
        }
        self.init(each)
    }
}

extension ListedBreak {
    /// Nil for one that says no time, which then is reported.
    fileprivate init?(reading section: ProfileSection) {
        let at = section.required("at", .duration(.zero ... .seconds(2_592_000)))
        let duration = section.value("duration", .duration(.seconds(1) ... .seconds(3600)))
        let scte35 = section.value("scte35", .scte35)
        guard let at else { return nil }
        self.init(at, duration: duration, scte35: scte35)
    }
}

extension ScalarRule<String> {
    static let placeholders = ["start", "ordinal", "id"]

    /// A pattern whose results are lower-case letters, digits and hyphens, different for different breaks.
    fileprivate static var identifierTemplate: ScalarRule {
        let allowed = "lower-case letters, digits, '-' and at least one of {start}, {ordinal}, {id}"
        return ScalarRule(shape: .text, allowed: allowed) { text in
            guard text.utf8.count <= 100 else { return .refused("is longer than 100 bytes") }
            var rest = text[...]
            var holdsPlaceholder = false
            while let opening = rest.firstIndex(of: "{") {
                guard isIdentifierText(rest[..<opening]) else { break }
                guard let closing = rest[opening...].firstIndex(of: "}") else { return .refused("has an unclosed {") }
                let name = String(rest[rest.index(after: opening)..<closing])
                guard placeholders.contains(name) else {
                    let nearest = NearestName.slip(name, among: placeholders).map { "{\($0)}" }
                    return .refused("has an unknown placeholder {\(ShownValue.of(name))}", suggestion: nearest)
                }
                holdsPlaceholder = true
                rest = rest[rest.index(after: closing)...]
            }
            guard isIdentifierText(rest) else { return .refused("holds a character that is not allowed") }
            return holdsPlaceholder ? .value(text) : .refused("names every break alike")
        }
    }

    private static func isIdentifierText(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { byte in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || QuantityText.isDigit(byte) || byte == UInt8(ascii: "-")
        }
    }
}
