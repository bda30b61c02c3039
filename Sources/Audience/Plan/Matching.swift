import LoadProfile
import Players

/// Who must be given the same pods, and of whom each has what is its own.
package struct Matching: Sendable {
    /// The viewers that what one of them was given is held against.
    package enum Group: Hashable, Sendable {
        case everybody
        /// Those with the same cohort, by its name.
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

    /// Whether figures are kept for each cohort: where the profile has traits, or holds anything against a cohort alone.
    package var tellsCohorts: Bool {
        !traits.isEmpty
            || [pods.match, pods.matchStitched, pods.matchLadder, pods.matchVarying].contains(.cohort)
    }

    /// The name of the cohort that a viewer is of, drawn anew at each call.
    package func cohort(ofViewer number: Int, persona: UInt8) -> String {
        let values = traits.values(ofViewer: number)
        let parts = pods.cohort.map { name in
            let isPersona = name == PodPlan.personaTrait && personas.indices.contains(Int(persona))
            return "\(name)=\(isPersona ? personas[Int(persona)] : values[name] ?? "")"
        }
        return parts.joined(separator: " ")
    }

    /// Whose pods those of a viewer of a cohort are held against; nil for nobody's.
    package func group(cohort: @autoclosure () -> String) -> Group? { group(pods.match, cohort) }

    /// The same of breaks that are stitched into the programme.
    package func stitchedGroup(cohort: @autoclosure () -> String) -> Group? {
        group(pods.matchStitched ?? pods.match, cohort)
    }

    /// The same of the renditions that a pod offers, whatever the ads in them.
    package func ladderGroup(cohort: @autoclosure () -> String) -> Group? { group(pods.matchLadder, cohort) }

    /// The same of asset lists and assets: those that the channel does not let vary (X-CONTENT-MAY-VARY, bis-22 appendix D.2)
    /// are everybody's.
    package func assetGroup(mayVary: Bool, cohort: @autoclosure () -> String) -> Group? {
        mayVary ? group(pods.matchVarying, cohort) : .everybody
    }

    private func group(_ match: PodPlan.Match, _ cohort: () -> String) -> Group? {
        switch match {
        case .all: .everybody
        case .session: nil
        case .cohort: .cohort(cohort())
        }
    }
}
