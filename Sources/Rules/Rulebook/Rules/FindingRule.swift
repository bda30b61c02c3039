/// Documents that state the rule of a finding, podswarm's assumptions where none does, or both.
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

extension FindingRule {
    /// draft-pantos-hls-rfc8216bis-22.
    static func hls(_ section: String, _ statement: String) -> FindingRule {
        .written(in: .hls(section: section), statement)
    }

    /// draft-pantos-content-steering-05.
    static func steering(_ section: String, _ statement: String) -> FindingRule {
        .written(in: .steering(section: section), statement)
    }

    static func rfc(_ number: Int, _ section: String, _ statement: String) -> FindingRule {
        .written(in: .rfc(number, section: section), statement)
    }

    static func written(in document: CitedDocument, _ statement: String) -> FindingRule {
        FindingRule(bases: [.written(Citation(document: document, statement: statement))])
    }

    static func page(_ page: VendorPage, _ statement: String, quotation: String) -> FindingRule {
        FindingRule(
            bases: [.written(Citation(document: .page(page), statement: statement, quotation: quotation))]
        )
    }

    static func assumed(_ statement: String, _ settings: ProfileSetting...) -> FindingRule {
        FindingRule(bases: [.assumed(Assumption(statement: statement, settings: settings))])
    }

    func and(_ other: FindingRule) -> FindingRule { FindingRule(bases: bases + other.bases) }
}

/// A rule of podswarm that no document states.
package struct Assumption: Equatable, Encodable, Sendable {
    package let statement: String
    package let settings: [ProfileSetting]

    package var text: String {
        "podswarm's assumption, changed by \(settings.map(\.rawValue).joined(separator: " and ")): \(statement)"
    }
}

/// Changes what podswarm assumes.
package enum ProfileSetting: String, CaseIterable, Encodable, Sendable {
    case podMatching = "pods.match"
    case ladderMatching = "pods.matchLadder"
    case slate = "pods.slate"
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

extension FindingRule {
    static let onePodForEachBreak = page(
        .interstitialGuide,
        "the identifier of a pod is unique for each break, and the same for all viewers",
        quotation: """
            recupera el identificador del pod de una fuente que proporcione valores únicos para cada pausa publicitaria, \
            sincronizados para todos los usuarios que miran la transmisión en vivo
            """
    )

    static let podFillsItsBreak = page(
        .podTokens,
        "pd is the duration of the break",
        quotation: "The duration in milliseconds of the ad break."
    )
    .and(
        .assumed(
            "a pod may be 100 ms off, and a frame at 24 a second more for each of its ads",
            .podTolerance,
            .adTolerance
        )
    )

    static let segmentsRedirect = page(
        .podServing,
        "the addresses of segments redirect to the media",
        quotation: "The segments are dynamic URLs, redirecting to either content or ad media files."
    )
}

/// A rule that a document states.
package struct Citation: Equatable, Sendable {
    package let document: CitedDocument
    /// In podswarm's words.
    package let statement: String
    /// In the document's words; nil where the cited section is public.
    package var quotation: String?

    package var text: String { "\(document.name): \(saying)" }

    /// Quotation included; foreign words with a translation.
    package var saying: String {
        guard let quotation else { return statement }
        let english = translation.map { "; podswarm's translation: \($0)" } ?? ""
        return "\(statement) (\"\(quotation)\"\(english))"
    }

    package var translation: String? {
        guard case .page(let page) = document, let quotation else { return nil }
        return page.translations[quotation]
    }
}

package enum CitedDocument: Equatable, Sendable {
    /// draft-pantos-hls-rfc8216bis-22, which players follow and which will replace RFC 8216; an appendix by its letter.
    case hls(section: String)
    /// draft-pantos-content-steering-05, which section 7 of the former refers to.
    case steering(section: String)
    case rfc(Int, section: String)
    /// ANSI/SCTE 35.
    case scte35(section: String)
    /// Ad templates of IAB Tech Lab.
    case vast(section: String)
    /// Without stable sections.
    case page(VendorPage)

    package var section: String? {
        switch self {
        case .hls(let section), .steering(let section), .rfc(_, let section), .scte35(let section), .vast(let section):
            section
        case .page: nil
        }
    }

    package var name: String {
        switch self {
        case .hls(let section): "HLS (rfc8216bis-22) \(Self.place(section))"
        case .steering(let section): "Content Steering (content-steering-05) \(Self.place(section))"
        case .rfc(let number, let section): "RFC \(number) \(Self.place(section))"
        case .scte35(let section): "SCTE 35 \(Self.place(section))"
        case .vast(let section): "VAST 4.2 \(Self.place(section))"
        case .page(let page): "\(page.vendor), \"\(page.title)\""
        }
    }

    package var address: String? {
        switch self {
        case .hls(let section):
            "https://datatracker.ietf.org/doc/html/draft-pantos-hls-rfc8216bis-22#\(Self.anchor(section))"
        case .steering(let section):
            "https://datatracker.ietf.org/doc/html/draft-pantos-content-steering-05#\(Self.anchor(section))"
        case .rfc(let number, let section): "https://www.rfc-editor.org/rfc/rfc\(number)#\(Self.anchor(section))"
        case .scte35, .vast: nil
        case .page(let page): page.address
        }
    }

    private static func isAppendix(_ section: String) -> Bool { section.first?.isLetter ?? false }
    private static func place(_ section: String) -> String {
        "\(isAppendix(section) ? "appendix" : "section") \(section)"
    }
    private static func anchor(_ section: String) -> String {
        "\(isAppendix(section) ? "appendix" : "section")-\(section)"
    }
}
