extension PodPlan {
    init(reading section: ProfileSection, labels: [AudienceLabel]) {
        let match: Match = section.value("match", .choice) ?? .all
        let names = section.list("cohort", of: .label(labels.map(\.name)))
        let usual = labels.isEmpty ? [Self.personaLabel] : labels.map(\.name)
        self.init(
            match: match,
            matchStitched: section.value("matchStitched", .choice),
            matchVarying: section.value("matchVarying", .choice) ?? .session,
            cohort: names?.map(\.value) ?? usual,
            ignoredAddressParts: section.list("ignore", of: .addressPart)?.map(\.value) ?? [],
            slate: section.list("slate", of: .slatePath)?.map(\.value) ?? [],
            repeatShare: section.value("repeatShare", .share) ?? 0,
            durationTolerance: section.value("durationTolerance", .duration(.zero ... .seconds(60)))
                ?? .milliseconds(100),
            adTolerance: section.value("adTolerance", .duration(.zero ... .seconds(60))) ?? Self.usualAdTolerance
        )
        let matches = [match, matchStitched ?? match, matchVarying]
        section.reading.rule(
            section.fieldPath("cohort"),
            section.fieldPath("match"),
            isBroken: names != nil && !matches.contains(.cohort),
            message: "has no effect without match: cohort"
        )
        section.reading.rule(
            section.fieldPath("cohort"),
            isBroken: names?.isEmpty ?? false,
            message: "has no label in it"
        )
    }
}

extension ScalarRule<String> {
    fileprivate static func label(_ names: [String]) -> ScalarRule {
        let known = names + [PodPlan.personaLabel]
        return text("a label of audience.labels, or \(PodPlan.personaLabel)").refusing { text in
            known.contains(text) ? nil : "is no label"
        }
    }

    /// See `SlatePattern`.
    fileprivate static var slatePath: ScalarRule {
        text("pieces of a path, with * for any text, such as /slate or /filler/*-loop").refusing { text in
            let isPath = text.contains { $0 != "/" } && !text.contains { "?# ".contains($0) }
            return isPath ? nil : "is no path"
        }
    }

    /// See `AddressPattern`.
    fileprivate static var addressPart: ScalarRule {
        let allowed = "?name of a parameter, or pieces of a path with * for what is a session's own, such as /session/*"
        return text(allowed).refusing { text in
            if text.hasPrefix("?") {
                let name = text.dropFirst()
                return name.isEmpty || name.contains { "=&?#/ ".contains($0) } ? "does not name a parameter" : nil
            }
            guard text.contains("*") else { return "has no * in it" }
            return text.contains { "?# ".contains($0) } ? "is no path" : nil
        }
    }
}
