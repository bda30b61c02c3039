package import AdServing
import Rules
import Values

/// Comparison of pods between viewers.
package struct PodPlan: Sendable, Equatable, ProfileFields {
    /// Viewers whose pods must be equal for one pod identifier.
    package enum Match: String, Sendable, CaseIterable {
        case all
        case cohort
        case session
    }

    package var comparesCohorts: Bool { [match, matchStitched ?? match, matchLadder, matchVarying].contains(.cohort) }

    /// Every viewer has it, without the profile naming it.
    package static let personaTrait = "persona"

    package var match = Match.all
    /// Nil means `match`.
    package var matchStitched: Match? = nil
    package var matchLadder = Match.all
    /// X-CONTENT-MAY-VARY (bis-22 appendix D.2).
    package var matchVarying = Match.session
    package var cohort: [String] = []
    package var ignoredAddressParts: [AddressPattern] = []
    /// Lower-case names.
    package var keptParameters: [String] = []
    package var slate: [SlatePattern.Part] = []
    package var repeatShare = 0.0
    package var durationTolerance = AssetTolerance.usual.total
    package var adTolerance = AssetTolerance.usual.each

    package static let usual = PodPlan()

    package static func fields(_ f: inout FieldTable<Self>) {
        f["match", \.match, .choice, .apart] =
            "Viewers whose pods must be the same for one pod identifier: all, those of each cohort, or none."
        f.digest { plan, path, form in
            // From versions without cohorts, so that plans keep their digests.
            let words = [Match.all: "same", .session: "per-session"]
            form.add("\(path).consistency", words[plan.match] ?? plan.match.rawValue)
        }
        f["cohort", \.cohort, .list(of: .trait(f.reading?.cohortTraits), least: 1), .apart] =
            "Traits that make a cohort, `persona` among them; left out, all of `audience.traits` that can and hold no "
            + "secrets, or `persona` where there are none."
        f["matchStitched", \.matchStitched, .choice] =
            "Viewers whose stitched breaks must be the same; left out, as `match` says."
        f["matchLadder", \.matchLadder, .choice, .unlessUsual] =
            "Viewers whose pods must offer the same renditions (sizes, frame rates, codecs), with any ads in them."
        f["matchVarying", \.matchVarying, .choice, .unlessUsual] =
            "Viewers whose asset lists and assets that may vary (X-CONTENT-MAY-VARY) must be the same; others are for all."
        f.digest { plan, path, form in
            form.add("\(path).cohort", plan.comparesCohorts ? plan.cohort.joined(separator: ", ") : nil)
        }
        f["ignore", \.ignoredAddressParts, .list(of: .addressPart, .together)] =
            "What of addresses is a session's own: `?name` of a parameter, or pieces of a path with `*`, such as "
            + "`/session/*`."
        f["keep", \.keptParameters, .list(of: .addressParameter, .together)] =
            "Parameters that say what is played, as `?name`, whatever such names mean elsewhere."
        f["slate", \.slate, .list(of: .slate, .together)] =
            "Pieces of a path by which slate is known, or `id:` and its id in creative signalling, with `*` for any text; "
            + "left out, a piece `slate`."
        f["repeatShare", \.repeatShare, .share] = "Share of viewers that ask a second time and compare."
        f["durationTolerance", \.durationTolerance, .duration(.zero ... .seconds(60))] =
            "How far a pod may be from its duration."
        f["adTolerance", \.adTolerance, .duration(.zero ... .seconds(60)), .unlessUsual] =
            "How much further it may be for each of its ads, which are cut at frames."
    }

    package mutating func settle(_ section: ProfileSection) {
        let isGiven = section.has("cohort")
        if !isGiven {
            let plain = (section.reading.cohorts ?? []).filter { !$0.isSecret }.map(\.name)
            cohort = plain.isEmpty ? [Self.personaTrait] : plain
        }
        let isIdle = isGiven && !comparesCohorts && section.reading.cohortTraits?.isEmpty ?? false
        section["cohort", "match", "matchStitched", "matchLadder", "matchVarying", if: isIdle] =
            "has no effect without audience.traits, or match, matchStitched, matchLadder or matchVarying: cohort"
        let isIgnored = keptParameters.contains { ignoredAddressParts.contains(.parameter($0)) }
        section["keep", "ignore", if: isIgnored] = "has a parameter that ignore leaves out"
        section["cohort", if: isGiven && cohort.isEmpty && section.isWhollySound("cohort")] = "has no trait in it"
    }
}

extension ScalarRule<String> {
    /// Any name where the traits are unknown (nil).
    static func trait(_ names: [String]?) -> ScalarRule {
        guard let names else {
            return text("a trait of audience.traits, or \(PodPlan.personaTrait)", schema: .type("string"))
        }
        return name(among: names + [PodPlan.personaTrait], else: "is not a trait")
    }

    fileprivate static var addressParameter: ScalarRule {
        text(allowed: "?name of a parameter, such as ?token", schema: .pattern("^[?][^=&?#/ ]+$")) { text in
            guard case .parameter(let name)? = AddressPattern(text) else {
                return .refused("does not name a parameter")
            }
            return .value(name)
        }
    }
}

extension ScalarRule<SlatePattern.Part> {
    fileprivate static var slate: ScalarRule {
        let allowed =
            "pieces of a path such as /slate or /filler/*-loop, or an id such as id:SLATE-*, with * for any text"
        return ScalarRule(allowed: allowed, schema: .pattern("^(id:.+|/*[^/?# ][^?# ]*)$"), spell: \.text) { text in
            SlatePattern.Part(text).map { .value($0) }
                ?? .refused(text.hasPrefix("id:") ? "names no id" : "is not a path")
        }
    }
}

extension ScalarRule<AddressPattern> {
    fileprivate static var addressPart: ScalarRule {
        let allowed = "?name of a parameter, or pieces of a path with * for what is a session's own, such as /session/*"
        return ScalarRule(
            allowed: allowed,
            schema: .pattern("^([?][^=&?#/ ]+|[^?# ]*[*][^?# ]*)$"),
            spell: \.text
        ) { text in
            if let pattern = AddressPattern(text) { return .value(pattern) }
            if text.hasPrefix("?") { return .refused("does not name a parameter") }
            return .refused(text.contains("*") ? "is not a path" : "has no * in it")
        }
    }
}
