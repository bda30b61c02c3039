import Profile

/// Groups of viewers that must be given the same pods.
package struct Matching: Sendable {
    /// Viewers whose answers are compared with each other.
    package enum Group: Hashable, Sendable {
        case everybody
        case cohort(String)
    }

    private let pods: PodPlan
    private let personas: [String]
    private let traits: AudienceTraits

    init(_ pods: PodPlan, personas: [String], traits: AudienceTraits) {
        self.pods = pods
        self.personas = personas
        self.traits = traits
    }

    /// Whether figures are kept per cohort: if the profile has traits, or compares by cohort.
    package var tellsCohorts: Bool {
        !traits.isEmpty
            || [pods.match, pods.matchStitched, pods.matchLadder, pods.matchVarying].contains(.cohort)
    }

    /// Name of a viewer's cohort, drawn anew at each call.
    package func cohort(ofViewer number: Int, persona: UInt8) -> String {
        let values = traits.values(ofViewer: number)
        let parts = pods.cohort.map { name in
            let isPersona = name == PodPlan.personaTrait && personas.indices.contains(Int(persona))
            return "\(name)=\(isPersona ? personas[Int(persona)] : values[name] ?? "")"
        }
        return parts.joined(separator: " ")
    }
}
