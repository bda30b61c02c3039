/// Documents that state the rule of a finding, podswarm's assumptions where none does, or both.
package struct FindingRule: Equatable, Sendable {
    package enum Basis: Equatable, Sendable {
        case written(Citation)
        case assumed(Assumption)
    }

    /// In the order in which they are printed.
    package fileprivate(set) var bases: [Basis]

    package var citations: [Citation] {
        bases.compactMap { if case .written(let citation) = $0 { citation } else { nil } }
    }

    package var assumptions: [Assumption] {
        bases.compactMap { if case .assumed(let assumption) = $0 { assumption } else { nil } }
    }

    package var text: String {
        bases.map { basis in
            switch basis {
            case .written(let citation): citation.text
            case .assumed(let assumption): assumption.text
            }
        }.joined(separator: "; ")
    }

    /// Without documents of other vendors than the target's; the first basis is the rule itself, and stays as an assumption.
    ///
    /// `vendors`: nil where the target is not known.
    package func applying(to vendors: [Vendor]?) -> FindingRule {
        guard let vendors else { return self }
        let own = bases.enumerated().compactMap { place, basis -> Basis? in
            guard case .written(let citation) = basis, let vendor = citation.document.vendor, !vendors.contains(vendor)
            else { return basis }
            let assumption = Assumption(statement: citation.statement, settings: ["allowFindings"])
            return place == 0 ? .assumed(assumption) : nil
        }
        return FindingRule(bases: own)
    }

    /// `name` is `assumed` with settings, or a document with its section; `words` are its quotation and the translation.
    mutating func add(_ name: [String], _ statement: String, words: [String], _ documents: [String: CitedDocument]) {
        guard let first = name.first else { return }
        if first == "assumed" {
            bases.append(.assumed(Assumption(statement: statement, settings: Array(name.dropFirst()))))
        } else {
            let document = (documents[first] ?? CitedDocument(name: first)).at(name.dropFirst().first)
            let (quote, english) = (words.first, words.dropFirst().first)
            let citation = Citation(document: document, statement: statement, quotation: quote, translation: english)
            bases.append(.written(citation))
        }
    }
}

/// A rule of podswarm that no document states.
package struct Assumption: Equatable, Encodable, Sendable {
    package let statement: String
    /// Fields of profiles that change it.
    package let settings: [String]

    package var text: String {
        "podswarm's assumption, changed by \(settings.joined(separator: " and ")): \(statement)"
    }
}

/// A rule that a document states.
package struct Citation: Equatable, Sendable {
    package let document: CitedDocument
    /// In podswarm's words.
    package let statement: String
    /// In the document's words; nil where the cited section is public.
    package let quotation: String?
    /// Foreign words in podswarm's English.
    package let translation: String?

    package var text: String { "\(document.name): \(saying)" }

    /// Quotation included; foreign words with a translation.
    package var saying: String {
        guard let quotation else { return statement }
        let english = translation.map { "; podswarm's translation: \($0)" } ?? ""
        return "\(statement) (\"\(quotation)\"\(english))"
    }
}

package struct CitedDocument: Equatable, Sendable {
    package let name: String
    package var address: String?
    /// An appendix by its letter; nil for a page without stable sections.
    package var section: String?
    /// Nil for a standard, which binds every target.
    package var vendor: Vendor?

    func at(_ section: String?) -> CitedDocument {
        guard let section else { return self }
        let kind = section.first?.isLetter == true ? "appendix" : "section"
        let address = address.map { "\($0)#\(kind)-\(section)" }
        return CitedDocument(name: "\(name) \(kind) \(section)", address: address, section: section, vendor: vendor)
    }
}

/// Vendor of ad insertion whose documents bind its own targets.
package enum Vendor: String, Codable, Sendable {
    case google
    case aws

    /// Whether a host in lower case, or a pattern of hosts, is one of its services of ad insertion.
    package func owns(_ host: String) -> Bool {
        switch self {
        case .google: [".google.com", ".doubleclick.net"].contains { ".\(host)".hasSuffix($0) }
        // Other services of AWS lend hosts in this domain to targets of any kind.
        case .aws: host.hasSuffix(".amazonaws.com") && host.contains(".mediatailor.")
        }
    }
}
