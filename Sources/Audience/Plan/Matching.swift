import LoadProfile

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
    private let labels: AudienceLabels

    init(_ pods: PodPlan, personas: [String], labels: AudienceLabels) {
        self.pods = pods
        self.personas = personas
        self.labels = labels
    }

    /// Whose pods a viewer's are held against; nil for nobody's.
    package func group(ofViewer number: Int, persona: UInt8) -> Group? {
        group(pods.match, ofViewer: number, persona: persona)
    }

    /// The same of breaks that are stitched into the programme.
    package func stitchedGroup(ofViewer number: Int, persona: UInt8) -> Group? {
        group(pods.matchStitched ?? pods.match, ofViewer: number, persona: persona)
    }

    /// The same of asset lists and assets: those that the channel does not let vary (X-CONTENT-MAY-VARY, bis-22 appendix D.2)
    /// are everybody's.
    package func assetGroup(ofViewer number: Int, persona: UInt8, mayVary: Bool) -> Group? {
        mayVary ? group(pods.matchVarying, ofViewer: number, persona: persona) : .everybody
    }

    private func group(_ match: PodPlan.Match, ofViewer number: Int, persona: UInt8) -> Group? {
        switch match {
        case .all: return .everybody
        case .session: return nil
        case .cohort:
            let values = labels.values(ofViewer: number)
            let parts = pods.cohort.map { name in
                let isPersona = name == PodPlan.personaLabel && personas.indices.contains(Int(persona))
                return "\(name)=\(isPersona ? personas[Int(persona)] : values[name] ?? "")"
            }
            return .cohort(parts.joined(separator: " "))
        }
    }
}
