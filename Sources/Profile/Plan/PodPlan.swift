package import AdServing
import Rules
import Values

/// Comparison of pods between viewers.
package struct PodPlan: Sendable, Equatable, ProfileFields {
    /// Viewers whose pods must be equal for one pod identifier.
    package enum Match: String, Sendable, CaseIterable {
        case all, cohort, session
    }

    package var comparesCohorts: Bool { [match, matchStitched ?? match, matchLadder, matchVarying].contains(.cohort) }

    /// Every viewer has it, without the profile naming it.
    package static let personaTrait = "persona"

    package var match = Match.all
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

    package static let fields = FieldList(PodPlan()) { f in
        f.add("match", \.match, .choice, .apart)
        f.digest { plan, path, form in
            // From versions without cohorts, so that plans keep their digests.
            let words = [Match.all: "same", .session: "per-session"]
            form.add("\(path).consistency", words[plan.match] ?? plan.match.rawValue)
        }
        f.add("cohort", \.cohort, .list(of: .trait(f.reading?.cohortTraits), least: 1), .apart)
        f.add("matchStitched", \.matchStitched, .choice)
        f.add("matchLadder", \.matchLadder, .choice, .unlessUsual)
        f.add("matchVarying", \.matchVarying, .choice, .unlessUsual)
        f.digest { plan, path, form in
            form.add("\(path).cohort", plan.comparesCohorts ? plan.cohort.joined(separator: ", ") : nil)
        }
        f.add("ignore", \.ignoredAddressParts, .list(of: addressPart, .together))
        f.add("keep", \.keptParameters, .list(of: .addressParameter, .together))
        f.add("slate", \.slate, .list(of: slatePart, .together))
        f.add("repeatShare", \.repeatShare, .share)
        f.add("durationTolerance", \.durationTolerance, .duration(.zero ... .seconds(60)))
        f.add("adTolerance", \.adTolerance, .duration(.zero ... .seconds(60)), .unlessUsual)
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

    private static var slatePart: ScalarRule<SlatePattern.Part> {
        let allowed =
            "pieces of a path such as /slate or /filler/*-loop, or an id such as id:SLATE-*, with * for any text"
        return ScalarRule(allowed: allowed, schema: .pattern("^(id:.+|/*[^/?# ][^?# ]*)$"), spell: \.text) { text in
            SlatePattern.Part(text).map { .value($0) }
                ?? .refused(text.hasPrefix("id:") ? "names no id" : "is not a path")
        }
    }

    private static var addressPart: ScalarRule<AddressPattern> {
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
