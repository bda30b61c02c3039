import Conformance
import HLS

/// One answer read and checked by itself.
struct CheckedAnswer {
    private(set) var violations: [Violation] = []
    /// Nil where the body cannot be read as a playlist.
    private(set) var playlist: Playlist?
    /// Mistake in the body, or an import of a variable that is unknown here.
    private(set) var error: PlaylistError?

    /// Checks the answer's fields and its body.
    ///
    /// - Parameters:
    ///   - answer: As it came.
    ///   - imported: Variables of the multivariant playlist; nil where they are unknown.
    init(_ answer: StreamAnswer, importing imported: [String: String]?) {
        // A file has no query that a variable could be taken from.
        let url = answer.fields == nil ? "" : answer.url
        answer.body.withUnsafeBytes { body in
            do throws(PlaylistError) {
                playlist = try Playlist.parse(body, url: url, importing: imported ?? [:])
            } catch {
                self.error = error
                var refusal = error
                if imported == nil, error.code == .undefinedVariable {
                    // A media playlist alone may import what nobody knows here: its references then stay as they are.
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
