import Results

@testable import Report

/// What a result looks like in the forms that people read and in JUnit's, line by line.
struct PrintedForms: Sendable {
    private let forms: [(name: String, lines: [String])]

    init(_ document: ResultDocument) throws {
        forms = [
            ("text", Self.lines(document.text(TextRendering(width: 160)))),
            ("markdown", Self.lines(document.markdown)),
            ("junit", Self.lines(JUnitReport(of: document).xml())),
            ("page", Self.words(of: try document.html())),
        ]
    }

    private static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    /// The text of a page, each piece behind the tag that it follows; of drawings their names, and no styles and scripts.
    private static func words(of page: String) -> [String] {
        var words: [String] = []
        var hidden: String?
        for piece in page.utf8.split(separator: UInt8(ascii: "<")) {
            let text = String(Substring(piece))
            if let name = hidden {
                guard text.hasPrefix("/\(name)>") else { continue }
                hidden = nil
            } else if let name = ["style", "script", "svg"].first(where: text.hasPrefix) {
                hidden = name
                let label = text.split(separator: "aria-label=\"").dropFirst().first?.prefix { $0 != "\"" }
                if let label { words.append("drawing: \(label)") }
                continue
            }
            let parts = text.split(separator: ">", maxSplits: 1)
            let hasText = parts.count == 2 && parts[1].contains { !$0.isWhitespace }
            let isPart = parts[0].contains(" id=") || text.hasPrefix("article") || text.hasPrefix("details")
            if hasText || isPart { words.append("<" + text.replacing("\n", with: " ")) }
        }
        return words
    }

    var text: String {
        forms.map { "== \($0.name)\n" + $0.lines.joined(separator: "\n") }.joined(separator: "\n") + "\n"
    }

    /// The lines that each form has lost and won since `base`.
    func changes(since base: PrintedForms) -> String {
        zip(base.forms, forms).map { before, now in
            let difference = now.lines.difference(from: before.lines)
            let told = difference.map { change in
                switch change {
                case .remove(_, let line, _): "- \(line)"
                case .insert(_, let line, _): "+ \(line)"
                }
            }
            return (["== \(now.name)"] + told).joined(separator: "\n") + "\n"
        }.joined()
    }
}
