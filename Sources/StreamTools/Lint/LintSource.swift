import Foundation

/// Where a playlist is read from.
package enum LintSource: Sendable {
    case url(String)
    case file(String)
    case standardInput

    /// Takes apart what was given on the command line.
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

    /// The scheme of a URL that lint does not read.
    ///
    /// - Parameter text: As it was given on the command line.
    /// - Returns: Nil for http and https, and for anything else that is no URL, such as a file.
    package static func foreignScheme(of text: String) -> Substring? {
        guard case .file = LintSource(text), let end = text.firstRange(of: "://")?.lowerBound else { return nil }
        let scheme = text[..<end]
        let isScheme =
            !scheme.isEmpty && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        return isScheme && !FileManager.default.fileExists(atPath: text) ? scheme : nil
    }

    /// Whether nothing is asked over a network.
    package var isLocal: Bool {
        if case .url = self { return false }
        return true
    }
}
