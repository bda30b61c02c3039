extension Redaction {
    private static let shownPieces = 4
    private static let shownCharacters = 80

    /// The end of a URL's path with secrets replaced: the same text for all viewers of one resource.
    ///
    /// Host and query are left out, and of `own` only a mark remains. At most four pieces and 80 characters.
    package static func name(of url: String, own: StreamID?) -> String {
        let path = self.url(url, own: own).prefix { $0 != "?" }
        // Of an absolute URL, neither scheme nor host.
        let pieces = path.split(separator: "/").dropFirst(path.contains("://") ? 2 : 0)
        let end = pieces.suffix(shownPieces).joined(separator: "/")
        // Even masked, an id is another one for each viewer.
        let shown = own.map { end.replacing($0.redacted, with: mark) } ?? end
        return String(shown.suffix(shownCharacters))
    }
}
