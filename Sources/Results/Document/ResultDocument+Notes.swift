import Rules

extension ResultDocument {
    /// Notes on counts that a reader could misunderstand.
    static func notes(on totals: RunTotals) -> [String] {
        let prefixes = totals.count(of: .pingsOfPrefixes)
        guard prefixes > 0 else { return [] }
        return [
            """
            404 to \(prefixes) media verification \(prefixes == 1 ? "ping" : "pings") of what metadata lists, which may be \
            prefixes of media ids: that proves nothing. playback.segments: ads reads whole ids in the ads and pings those; a \
            target whose metadata lists whole ids is judged with mediaIDs: whole.
            """
        ]
    }
}
