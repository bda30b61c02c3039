/// Figures that a result has besides those of all viewers.
package struct ReportPlan: Sendable, Equatable, ProfileFields {
    package var by: [String] = []

    package static let fields = FieldList(ReportPlan()) { f in
        f.add("by", \.by, .list(of: .trait(f.reading?.cohortTraits), least: 1), .undigested)
    }
}

extension LoadPlan {
    /// Each name of `report.by` with its values in order; a value's number counts on over all names.
    package var reportedValues: [(name: String, values: [String])] {
        report.by.map { name in
            guard name == PodPlan.personaTrait else {
                let trait = audience.traits.first { $0.name == name }
                return (name, trait.map { $0.cohortValues.map($0.shown) } ?? [])
            }
            return (name, audience.personas.map(\.persona.name))
        }
    }
}
