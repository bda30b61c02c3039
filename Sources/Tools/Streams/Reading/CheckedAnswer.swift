import HLS
import Rules

/// Parsed answer with the violations found in it alone.
struct CheckedAnswer {
    private(set) var violations: [Violation] = []
    /// Nil if the body cannot be parsed.
    private(set) var playlist: Playlist?
    /// Error in the body, or an import of an unknown variable.
    private(set) var error: PlaylistError?

    /// Checks the header fields and the body; `imported` is nil if the multivariant playlist is unknown.
    init(_ answer: StreamAnswer, importing imported: [String: String]?) {
        // A file has no query for variables.
        let url = answer.fields == nil ? "" : answer.url
        answer.body.withUnsafeBytes { body in
            do throws(PlaylistError) {
                playlist = try Playlist.parse(body, url: url, importing: imported ?? [:])
            } catch {
                self.error = error
                var refusal = error
                if imported == nil, error.code == .undefinedVariable {
                    // A media playlist alone may import unknown variables: references to them stay unresolved.
                    do throws(PlaylistError) { playlist = try Playlist.parse(body) } catch { refusal = error }
                }
                if playlist == nil {
                    violations = PlaylistChecks.violations(
                        in: body,
                        refusedWith: refusal,
                        url: url,
                        importing: imported
                    )
                }
            }
            if playlist != nil {
                violations = PlaylistChecks.violations(in: body, url: url, importing: imported)
            }
        }
        if let fields = answer.fields, playlist != nil {
            violations += ResponseChecks.violations(
                contentType: fields.contentType,
                contentEncoding: fields.contentEncoding,
                acceptedGzip: true,
                url: answer.url,
                bodyBytes: answer.body.count
            )
        }
    }
}
