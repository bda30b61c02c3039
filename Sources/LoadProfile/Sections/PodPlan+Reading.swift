import AdServing
import Wording

extension PodPlan {
    init(reading section: ProfileSection) {
        let traits = section.reading.cohortTraits
        let match: Match = section.value("match", .choice) ?? .all
        let names = section.list("cohort", of: .trait(traits))
        let usual = traits.flatMap { $0.isEmpty ? nil : $0 } ?? [Self.personaTrait]
        self.init(
            match: match,
            matchStitched: section.value("matchStitched", .choice),
            matchLadder: section.value("matchLadder", .choice) ?? .all,
            matchVarying: section.value("matchVarying", .choice) ?? .session,
            cohort: names?.map(\.value) ?? usual,
            ignoredAddressParts: section.list("ignore", of: .addressPart)?.map(\.value) ?? [],
            keptParameters: section.list("keep", of: .addressParameter)?.map(\.value) ?? [],
            slate: section.list("slate", of: .slate)?.map(\.value) ?? [],
            repeatShare: section.value("repeatShare", .share) ?? 0,
            durationTolerance: section.value("durationTolerance", .duration(.zero ... .seconds(60)))
                ?? .milliseconds(100),
            adTolerance: section.value("adTolerance", .duration(.zero ... .seconds(60))) ?? Self.usualAdTolerance
        )
        section.reading.rule(
            section.fieldPath("cohort"),
            section.fieldPath("match"),
            section.fieldPath("matchStitched"),
            section.fieldPath("matchLadder"),
            section.fieldPath("matchVarying"),
            isBroken: names != nil && !comparesCohorts && traits?.isEmpty ?? false,
            message: "has no effect without audience.traits, "
                + "or match, matchStitched, matchLadder or matchVarying: cohort"
        )
        section.reading.rule(
            section.fieldPath("keep"),
            section.fieldPath("ignore"),
            isBroken: keptParameters.contains { ignoredAddressParts.contains(.parameter($0)) },
            message: "has a parameter that ignore leaves out"
        )
        section.reading.rule(
            section.fieldPath("cohort"),
            isBroken: names?.isEmpty ?? false && section.reading.isWhollySound(section.fieldPath("cohort")),
            message: "has no trait in it"
        )
    }
}

extension ScalarRule<String> {
    /// A trait's name; any where they are not known (nil).
    fileprivate static func trait(_ names: [String]?) -> ScalarRule {
        guard let names else { return text("a trait of audience.traits, or \(PodPlan.personaTrait)") }
        let known = names + [PodPlan.personaTrait]
        return ScalarRule(shape: .text, allowed: known.joined(separator: ", ")) { text in
            known.contains(text)
                ? .value(text) : .refused("is no trait", suggestion: NearestName.slip(text, among: known))
        }
    }
}

extension ScalarRule<SlatePattern.Part> {
    fileprivate static var slate: ScalarRule {
        let allowed =
            "pieces of a path such as /slate or /filler/*-loop, or an id such as id:SLATE-*, with * for any text"
        return ScalarRule(shape: .text, allowed: allowed) { text in
            SlatePattern.Part(text).map { .value($0) }
                ?? .refused(text.hasPrefix("id:") ? "names no id" : "is no path")
        }
    }
}

extension ScalarRule<AddressPattern> {
    fileprivate static var addressPart: ScalarRule {
        let allowed = "?name of a parameter, or pieces of a path with * for what is a session's own, such as /session/*"
        return ScalarRule(shape: .text, allowed: allowed) { text in
            if let pattern = AddressPattern(text) { return .value(pattern) }
            if text.hasPrefix("?") { return .refused("does not name a parameter") }
            return .refused(text.contains("*") ? "is no path" : "has no * in it")
        }
    }
}

extension ScalarRule<String> {
    fileprivate static var addressParameter: ScalarRule {
        ScalarRule(shape: .text, allowed: "?name of a parameter, such as ?token") { text in
            guard case .parameter(let name)? = AddressPattern(text) else {
                return .refused("does not name a parameter")
            }
            return .value(name)
        }
    }
}
