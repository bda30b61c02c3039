import Foundation

package enum LintSource: Sendable {
    case url(String)
    case file(String)
    case standardInput

    package init(_ text: String) {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        if text == "-" {
            self = .standardInput
        } else if text.contains("://"), scheme == "http" || scheme == "https" {
            self = .url(text)
        } else {
            self = .file(text)
        }
    }

    /// Scheme of a URL that lint cannot read; nil for http, https and text that is no URL, such as a path.
    package static func foreignScheme(of text: String) -> Substring? {
        guard case .file = LintSource(text), let end = text.firstRange(of: "://")?.lowerBound else { return nil }
        let scheme = text[..<end]
        let isScheme =
            !scheme.isEmpty && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        return isScheme && !FileManager.default.fileExists(atPath: text) ? scheme : nil
    }

    package var isLocal: Bool {
        if case .url = self { return false }
        return true
    }
}
