import Conformance
import HLS
import Report

/// All that is known of one playlist of a lint.
struct LintedPlaylist: Sendable {
    /// Where it is read from: a URL or a file's path; not redacted.
    let place: String
    /// As it is printed.
    let name: String
    private(set) var kind = LintDocument.ReadPlaylist.Kind.unreadable
    private(set) var reads = 0
    private(set) var versions = 0
    private var body: [UInt8] = []
    /// The newest version that could be read, and the `MonotonicClock` instant of its load.
    private(set) var newest: (playlist: MediaPlaylist, instant: Int64)?

    init(place: String, name: String) {
        self.place = place
        self.name = name
    }

    /// What came of one load.
    struct Outcome {
        var violations: [Violation] = []
        /// Nil where it is no playlist.
        var playlist: Playlist?
        /// Whether it brings anything that the load before did not, which decides when to load again.
        var isNew = false
    }

    /// Takes a load in and checks it: the answer alone, and against the version before.
    ///
    /// - Parameters:
    ///   - answer: What came.
    ///   - imported: Variables of the multivariant playlist.
    ///   - instant: When the load began, in `MonotonicClock` nanoseconds.
    /// - Returns: What is wrong with it.
    mutating func take(_ answer: LintAnswer, importing imported: [String: String], at instant: Int64) -> Outcome {
        self.reads += 1
        guard self.versions == 0 || answer.body != self.body else { return self.unchanged(at: instant) }
        self.versions += 1
        self.body = answer.body
        var outcome = Outcome(violations: LintChecks.violations(in: answer), isNew: true)
        outcome.playlist = answer.body.withUnsafeBytes { body in
            try? Playlist.parse(body, url: answer.url, importing: imported)
        }
        switch outcome.playlist {
        case .multivariant?: self.kind = .multivariant
        case .media(let next)?:
            self.kind = .media
            if let previous = self.newest?.playlist { outcome.isNew = next.isUpdate(of: previous) }
            self.newest = (next, instant)
        case nil: break
        }
        return outcome
    }

    private mutating func unchanged(at instant: Int64) -> Outcome {
        Outcome(playlist: self.newest.map { .media($0.playlist) })
    }
}
