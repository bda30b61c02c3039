extension SessionUpdatePlan {
    /// Reads what some viewers tell anew; nil where nobody does.
    init?(reading section: ProfileSection) {
        let share = section.required("share", .share)
        let every = section.value("every", .duration(.seconds(1) ... .seconds(86_400))) ?? .seconds(60)
        let parameters = SessionPlan.adTagParameters(reading: section, at: "adTagParameters")
        let body: Body = section.value("body", .choice) ?? .form
        let extent: Extent = section.value("sends", .choice) ?? .all
        let field = section.fieldPath("adTagParameters")
        section.reading.rule(
            field,
            section.path,
            isBroken: section.isPresent && parameters.isEmpty && section.reading.isWhollySound(field),
            message: "has no parameter in it, so that an update would change nothing",
            allowed: "names of parameters with their new values"
        )
        guard section.isPresent, let share, share > 0 else { return nil }
        self.init(share: share, every: every, adTagParameters: parameters, body: body, extent: extent)
    }
}
