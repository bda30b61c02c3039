import Conformance
import HLS
import Measurement

/// The checks that a lint makes, each of them pure.
enum LintChecks {
    /// One answer: its fields and its body.
    ///
    /// - Parameter answer: As it came.
    /// - Returns: What is wrong with it.
    static func violations(in answer: LintAnswer) -> [Violation] {
        answer.body.withUnsafeBytes { body in
            do throws(PlaylistError) {
                _ = try Playlist.parse(body)
                return []
            } catch {
                return [
                    Violation(.notAPlaylist, line: error.line, expected: error.detail, observed: error.code.rawValue)
                ]
            }
        }
    }
}
