/// A rule that a document states.
package struct Citation: Equatable, Sendable {
    package let document: CitedDocument
    /// In podswarm's words.
    package let statement: String
    /// In the document's words; nil where the cited section is public.
    package var quotation: String?

    package var text: String { "\(document.name): \(saying)" }

    /// The statement with its quotation, without the document; foreign words with a translation.
    package var saying: String {
        guard let quotation else { return statement }
        let english = translation.map { "; podswarm's translation: \($0)" } ?? ""
        return "\(statement) (\"\(quotation)\"\(english))"
    }

    /// podswarm's English translation of the quotation; nil where that is English.
    package var translation: String? {
        guard case .page(let page) = document, let quotation else { return nil }
        return page.translations[quotation]
    }
}

package enum CitedDocument: Equatable, Sendable {
    /// draft-pantos-hls-rfc8216bis-22, which players follow and which will replace RFC 8216; an appendix by its letter.
    case hls(section: String)
    case rfc(Int, section: String)
    /// The splice signals of ANSI/SCTE 35.
    case scte35(section: String)
    /// The ad templates of IAB Tech Lab.
    case vast(section: String)
    /// A page of the product's vendor, without stable sections.
    case page(VendorPage)

    package var section: String? {
        switch self {
        case .hls(let section), .rfc(_, let section), .scte35(let section), .vast(let section): section
        case .page: nil
        }
    }

    package var name: String {
        switch self {
        case .hls(let section): "HLS (rfc8216bis-22) \(Self.place(section))"
        case .rfc(let number, let section): "RFC \(number) \(Self.place(section))"
        case .scte35(let section): "SCTE 35 \(Self.place(section))"
        case .vast(let section): "VAST 4.2 \(Self.place(section))"
        case .page(let page): "\(page.vendor), \"\(page.title)\""
        }
    }

    /// URL of the document; nil where it has none.
    package var address: String? {
        switch self {
        case .hls(let section):
            "https://datatracker.ietf.org/doc/html/draft-pantos-hls-rfc8216bis-22#\(Self.anchor(section))"
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
