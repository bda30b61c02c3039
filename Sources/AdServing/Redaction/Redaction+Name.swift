extension Redaction {
    private static let shownPieces = 4
    private static let shownCharacters = 80

    /// End of a URL's path with secrets replaced: one text for all viewers of a resource.
    ///
    /// Without host and query, with a mark for `own`; at most four pieces and 80 characters.
    package static func name(of url: String, own: StreamID?) -> String {
        let path = self.url(url, own: own).prefix { $0 != "?" }
        let pieces = path.split(separator: "/").dropFirst(path.contains("://") ? 2 : 0)
        let end = pieces.suffix(shownPieces).joined(separator: "/")
        // Even redacted ids differ from viewer to viewer.
        let shown = own.map { end.replacing($0.redacted, with: mark) } ?? end
        return String(shown.suffix(shownCharacters))
    }
}
