/// The basis of a finding: documents that state the rule, podswarm's assumptions where none does, or both.
package struct FindingRule: Equatable, Sendable {
    package enum Basis: Equatable, Sendable {
        case written(Citation)
        case assumed(Assumption)
    }

    /// In the order in which they are printed.
    package let bases: [Basis]

    package var citations: [Citation] {
        bases.compactMap { if case .written(let citation) = $0 { citation } else { nil } }
    }

    package var assumptions: [Assumption] {
        bases.compactMap { if case .assumed(let assumption) = $0 { assumption } else { nil } }
    }

    package var text: String { bases.map(\.text).joined(separator: "; ") }
}

extension FindingRule.Basis {
    fileprivate var text: String {
        switch self {
        case .written(let citation): citation.text
        case .assumed(let assumption): assumption.text
        }
    }
}

// Constructors for rows.
extension FindingRule {
    /// A rule of draft-pantos-hls-rfc8216bis-22, in podswarm's words.
    static func hls(_ section: String, _ statement: String) -> FindingRule {
        .written(in: .hls(section: section), statement)
    }

    /// A rule of an RFC, in podswarm's words.
    static func rfc(_ number: Int, _ section: String, _ statement: String) -> FindingRule {
        .written(in: .rfc(number, section: section), statement)
    }

    /// A rule of a document with sections, in podswarm's words.
    static func written(in document: CitedDocument, _ statement: String) -> FindingRule {
        FindingRule(bases: [.written(Citation(document: document, statement: statement))])
    }

    /// A rule of a vendor's page, in podswarm's words and in those of the page.
    static func page(_ page: VendorPage, _ statement: String, quotation: String) -> FindingRule {
        FindingRule(
            bases: [.written(Citation(document: .page(page), statement: statement, quotation: quotation))]
        )
    }

    /// A rule that no document states, with the settings of a profile that change it.
    static func assumed(_ statement: String, _ settings: ProfileSetting...) -> FindingRule {
        FindingRule(bases: [.assumed(Assumption(statement: statement, settings: settings))])
    }

    func and(_ other: FindingRule) -> FindingRule { FindingRule(bases: bases + other.bases) }
}

/// A rule of podswarm that no document states.
package struct Assumption: Equatable, Sendable {
    package let statement: String
    /// The profile's fields that change it.
    package let settings: [ProfileSetting]

    package var text: String {
        "podswarm's assumption, changed by \(settings.map(\.rawValue).joined(separator: " and ")): \(statement)"
    }
}

/// A field of a profile that changes what podswarm assumes, by its path.
package enum ProfileSetting: String, CaseIterable, Sendable {
    /// Viewers that must get the same ads.
    case podMatching = "pods.match"
    /// Viewers that must be offered the same renditions.
    case ladderMatching = "pods.matchLadder"
    /// Parts of addresses that mark slate.
    case slate = "pods.slate"
    /// Share of viewers that ask a second time.
    case podRepeats = "pods.repeatShare"
    case podTolerance = "pods.durationTolerance"
    case adTolerance = "pods.adTolerance"
    case announcementTolerance = "breaks.announcementTolerance"
    case staleness = "playback.staleAfter"
    case startDistance = "audience.personas.start.targets"
    case listedMediaIDs = "target.podServing.mediaIDs"
    case sessionCookies = "target.podServing.sessionCookies"
    case redirects = "connection.maximumRedirects"
    /// Allowed share of a finding; it lifts every assumption without a setting of its own.
    case allowance = "allowFindings"
}
