import Rules

@testable import HLS

#if canImport(TestSupport)
    import TestSupport
#endif

/// Properties that the parser and the checks have for any bytes: for the fuzzer, and for the tests that replay what it
/// once found and break playlists on purpose.
///
/// An input is one playlist, or several with a line of `#--` between them: versions of one URL in the order in which they
/// were loaded, which also stand beside each other as renditions.
enum PlaylistInvariants {
    struct Broken: Error, CustomStringConvertible { let description: String }

    private static let base = "https://127.0.0.1/live/index.m3u8?a=1"
    private static let separator = Array("\n#--\n".utf8)
    private static let maximumVersions = 4

    private static func require(_ isTrue: Bool, _ message: @autoclosure () -> String) throws(Broken) {
        guard isTrue else { throw Broken(description: message()) }
    }

    /// The pieces of an input, each in sanitised memory of its own length.
    private static func versions(of input: UnsafeRawBufferPointer) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        var index = 0
        while index + separator.count <= input.count, pieces.count + 1 < maximumVersions {
            guard input[index] == 0x0A, input[index..<index + separator.count].elementsEqual(separator) else {
                index += 1
                continue
            }
            pieces.append(Array(input[start...index]))
            index += separator.count
            start = index
        }
        pieces.append(Array(input[start...]))
        return pieces
    }

    private static func checkRanges(_ playlist: MediaPlaylist) throws {
        func isInside(_ range: Range<Int>?) -> Bool {
            range.map { $0.lowerBound >= 0 && $0.upperBound <= playlist.text.count } ?? true
        }
        for (index, segment) in playlist.segments.enumerated() {
            try require(
                isInside(segment.uri) && isInside(segment.mapURI) && isInside(segment.title),
                "segment \(index)"
            )
            try require(segment.durationMicroseconds >= 0 && !segment.uri.isEmpty, "segment \(index)")
            _ = playlist.programDate(at: index)
        }
        try require(
            playlist.parts.allSatisfy { isInside($0.uri) && $0.segmentIndex <= playlist.segments.count },
            "part"
        )
        try require(playlist.preloadHints.allSatisfy { isInside($0.uri) }, "hint")
        try require(playlist.renditionReports.allSatisfy { isInside($0.uri) }, "report")
        try require(playlist.otherTags.allSatisfy { isInside($0.line) }, "other tag")
        try require(!playlist.isUpdate(of: playlist), "a playlist is no update of itself")
    }

    private static func read(_ playlist: MediaPlaylist) throws {
        try checkRanges(playlist)
        let date = playlist.programDate(at: 0) ?? WallTime(microseconds: 0)
        for interstitial in playlist.interstitials(base: base) {
            _ = playlist.nearestBoundary(to: interstitial.startDate)
            _ = interstitial.playoutDuration(ofAssets: .seconds(31_557_600_000))
        }
        for preload in playlist.preloads(base: base) {
            _ = preload.loadDate(fraction: 0.5, playhead: date, latest: preload.endDate)
        }
        _ = DeliveryDirectives.next(after: playlist)
        _ = CDNTuneIn.directives(goal: .seconds(86_400), playlist: playlist)
        _ = ReloadRule.lastSegmentDuration.delay(after: playlist, changed: true)
    }

    /// Whatever is read reads the same once it is written; renditions alone may be of unknown types, which are left out.
    private static func checkWriting(_ body: [UInt8]) throws {
        switch try? Playlist(parsing: body) {
        case .media(let playlist)?:
            let description = MediaPlaylistWriter(describing: playlist)
            guard case .media(let again)? = try? Playlist(parsing: description.render()) else {
                throw Broken(description: "the text written is no media playlist")
            }
            try require(MediaPlaylistWriter(describing: again) == description, "written and read again")
            let dates = { (playlist: MediaPlaylist) in playlist.segments.indices.map { playlist.programDate(at: $0) } }
            try require(dates(again) == dates(playlist), "dates that are written and read again")
        case .multivariant(let playlist)? where !playlist.variants.isEmpty:
            let again = try? Playlist(parsing: playlist.render())
            guard case .multivariant(playlist)? = again else { throw Broken(description: "written and read again") }
        default: break
        }
    }

    /// Parses and checks one body; nil where it is no media playlist.
    private static func checked(_ body: [UInt8]) throws -> MediaPlaylist? {
        try body.withUnsafeBytes { bytes in
            let lines = bytes.reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
            let result = Result { () throws(PlaylistError) in
                try Playlist.parse(bytes, url: base, importing: ["a": "1"])
            }
            let violations: [Violation]
            switch result {
            case .success: violations = PlaylistChecks.violations(in: bytes, url: base, importing: ["a": "1"])
            case .failure(let error):
                try require((1...lines).contains(error.line), "an error in line \(error.line) of \(lines)")
                violations = PlaylistChecks.violations(in: bytes, refusedWith: error, url: base, importing: ["a": "1"])
                // A body without a tag of either kind may as well be an empty multivariant playlist.
                let isNamed = PlaylistChecks.violations(in: bytes, url: base, importing: ["a": "1"])
                    .contains { $0.code.severity > .suspect }
                try require(
                    !violations.isEmpty && (isNamed || error.code == .missingTargetDuration),
                    "nothing is said against what is refused: \(error)"
                )
            }
            try require(violations.count <= PlaylistChecks.limit, "\(violations.count) violations")
            try require(violations.allSatisfy { (1...lines).contains($0.line ?? 1) }, "a line that is not there")
            guard case .success(.media(let playlist)) = result else { return nil }
            return playlist
        }
    }

    /// Whether no time of the programme is listed twice.
    private static func isInOrder(_ playlist: MediaPlaylist) -> Bool {
        var end = WallTime(microseconds: .min)
        for (index, segment) in playlist.segments.enumerated() {
            guard let start = playlist.programDate(at: index) else { return true }
            guard start >= end else { return false }
            end = start + .microseconds(segment.durationMicroseconds)
        }
        return true
    }

    private static func compare(_ previous: MediaPlaylist, _ next: MediaPlaylist, elapsed: Duration) throws {
        let found = VersionChecks.transition(from: previous, to: next, elapsed: elapsed).violations
        try require(Set(found.map(\.code)).count == found.count, "a code twice")
        let same = VersionChecks.transition(from: next, to: next, elapsed: elapsed).violations
        try require(same.isEmpty, "a version contradicts itself: \(same)")
        // One of them for each input: the length is as good a choice as any.
        let kind = [RenditionKind.variant, .audio, .subtitles][next.text.count % 3]
        _ = RenditionChecks.violations(of: next, as: kind, beside: previous)
        if isInOrder(next) {
            let beside = RenditionChecks.violations(of: next, as: .variant, beside: next)
            try require(beside.isEmpty, "a rendition contradicts itself: \(beside)")
        }
        if let merged = try? MediaPlaylist.merging(delta: next, into: previous) {
            try require(merged.skippedSegments == 0 && merged.endMediaSequence == next.endMediaSequence, "merged")
            try require(merged.contentDigest != next.contentDigest, "merged with nothing")
        }
    }

    /// Reads and checks an input as every part of podswarm would.
    ///
    /// - Throws: ``Broken`` where something does not hold.
    static func check(_ input: UnsafeRawBufferPointer) throws {
        var watch = PlaylistWatch()
        var breaks = StitchedBreaks()
        var previous: MediaPlaylist?
        var now = Duration.zero
        for body in versions(of: input) {
            now += .seconds(body.count % 16)
            try checkWriting(body)
            guard let playlist = try checked(body) else { continue }
            try read(playlist)
            breaks.read(playlist)
            try compare(previous ?? playlist, playlist, elapsed: .seconds(body.count % 16))
            for violation in watch.loaded(playlist, askedAt: now, at: now + .milliseconds(body.count % 512)) {
                try require(!violation.expected.isEmpty, "nothing was expected")
            }
            previous = playlist
        }
    }
}
