package import Conformance
package import HLS

/// One answer read and checked by itself.
package struct LintedAnswer {
    package private(set) var violations: [Violation] = []
    /// Nil where the body cannot be read as a playlist.
    package private(set) var playlist: Playlist?

    /// Checks the answer's fields and its body.
    ///
    /// - Parameters:
    ///   - answer: As it came.
    ///   - imported: Variables of the multivariant playlist; nil where they are unknown.
    package init(_ answer: LintAnswer, importing imported: [String: String]?) {
        // A file has no query that a variable could be taken from.
        let url = answer.fields == nil ? "" : answer.url
        answer.body.withUnsafeBytes { body in
            do throws(PlaylistError) {
                playlist = try Self.parse(body, url: url, importing: imported)
                violations = PlaylistChecks.violations(in: body, url: url, importing: imported)
            } catch {
                violations = PlaylistChecks.violations(
                    in: body,
                    refusedWith: error,
                    url: url,
                    importing: imported
                )
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

    /// A media playlist alone may import what nobody knows here: its references then stay as they are.
    private static func parse(
        _ body: UnsafeRawBufferPointer,
        url: String,
        importing imported: [String: String]?
    ) throws(PlaylistError) -> Playlist {
        do {
            return try Playlist.parse(body, url: url, importing: imported ?? [:])
        } catch {
            guard imported == nil, error.code == .undefinedVariable else { throw error }
            return try Playlist.parse(body)
        }
    }
}
