/// What a finding rests on: where that is written, what podswarm assumes because nobody wrote it down, or both.
package struct FindingRule: Equatable, Sendable {
    /// One thing that it rests on.
    package enum Basis: Equatable, Sendable {
        case written(Citation)
        case assumed(Assumption)
    }

    /// In the order in which they are told.
    package let bases: [Basis]

    /// What is written, with the place where it stands.
    package var citations: [Citation] {
        bases.compactMap { if case .written(let citation) = $0 { citation } else { nil } }
    }

    /// What is written nowhere.
    package var assumptions: [Assumption] {
        bases.compactMap { if case .assumed(let assumption) = $0 { assumption } else { nil } }
    }

    /// All of it in one line.
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

// How rows write their rules.
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

    /// What a vendor's page says, in podswarm's words and in those of the page.
    static func page(_ page: VendorPage, _ statement: String, quotation: String) -> FindingRule {
        FindingRule(
            bases: [.written(Citation(document: .page(page), statement: statement, quotation: quotation))]
        )
    }

    /// What nobody wrote down, with the settings of a profile that change it.
    static func assumed(_ statement: String, _ settings: ProfileSetting...) -> FindingRule {
        FindingRule(bases: [.assumed(Assumption(statement: statement, settings: settings))])
    }

    /// What it rests on besides.
    func and(_ other: FindingRule) -> FindingRule { FindingRule(bases: bases + other.bases) }
}
