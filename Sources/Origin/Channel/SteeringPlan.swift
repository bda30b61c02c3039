import Profile
import Values

/// The channel plan's `steering` section: several pathways to the channel and a manifest that selects one (bis-22 section 7).
struct SteeringPlan: Sendable, Equatable, ProfileFields {
    var pathways = ["a", "b"]
    var ttl: Duration = .seconds(300)
    /// Nil: the first pathway stays first.
    var switchEvery: Duration?
    var tooMany = 0.0
    var retryAfter: Duration = .seconds(10)

    static let usual = SteeringPlan()

    static func fields(_ f: inout FieldTable<Self>) {
        f["pathways", \.pathways, .list(of: .pathway, isLoose: true)] =
            "Names; the first one is where players begin."
        f["ttl", \.ttl, .duration(.seconds(1) ... .seconds(86_400))] = "TTL of the manifest."
        f["switchEvery", \.switchEvery, .duration(.seconds(1) ... .seconds(86_400))] =
            "After this time, counted from the Unix epoch, another pathway comes first."
        f["tooMany", \.tooMany, .share] = "Share of the manifest requests answered 429."
        f["retryAfter", \.retryAfter, .duration(.seconds(1) ... .seconds(3_600))] =
            "Retry-After of a 429."
    }

    func settle(_ section: ProfileSection) {
        let field = section.fieldPath("pathways")
        let isFit = (1...8).contains(pathways.count) && Set(pathways).count == pathways.count
        section.reading.rule(field, isBroken: !isFit && section.reading.isWhollySound(field)) {
            "must be a list of one to 8 different names such as [a, b]"
        }
    }
}

extension ScalarRule<String> {
    fileprivate static var pathway: ScalarRule {
        text("a name of letters, digits, '-', '_' and '.'").refusing { name in
            name.utf8.allSatisfy { $0.isUnreserved && $0 != 0x7E } ? nil : "cannot name a pathway"
        }
    }
}
