package import HLS

package enum PodIdentifier: Hashable, Sendable {
    /// 1 for the first break of the event.
    case sequence(Int)
    /// A name never seen before creates a new break on the event.
    case adBreakID(String)

    package var pathComponent: String {
        switch self {
        case .sequence(let number): "\(WireName.pod)/\(number)"
        case .adBreakID(let name): "\(WireName.adBreakID)/\(PercentEncoding.encode(name))"
        }
    }

    /// Parses ``pathComponent``.
    package init?(path: some StringProtocol) {
        let pieces = Substring(path).pieces(between: "/")
        guard pieces.count == 2, !pieces[1].isEmpty else { return nil }
        let (form, value) = (pieces[0], pieces[1])
        if form == WireName.pod {
            guard let number = Int(value), number >= 0, String(number) == value else { return nil }
            self = .sequence(number)
        } else if form == WireName.adBreakID {
            self = .adBreakID(PercentEncoding.decode(value))
        } else {
            return nil
        }
    }

    /// `…/pod/7.m3u8`, `…/ad_break_id/mid-roll-3/profile/…`, `?ad_break_id=mid-roll-3`, `?pod_id=7`.
    package init?(inURL url: String) {
        let end = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
        if let named = Self.named(inPath: url[..<end]) {
            self = named
            return
        }
        let identifiers = URLQuery(of: url).values.lazy.compactMap { name, value -> PodIdentifier? in
            if name == WireName.adBreakID { return value.isEmpty ? nil : .adBreakID(value) }
            return name == WireName.Token.podID ? Int(value).flatMap { $0 >= 0 ? .sequence($0) : nil } : nil
        }
        guard let named = identifiers.first else { return nil }
        self = named
    }

    private static func named(inPath path: Substring) -> PodIdentifier? {
        var form: Substring?
        for piece in path.split(separator: "/") {
            if let form {
                let isSuffixed = piece.hasSuffix(WireName.playlistSuffix)
                let value = isSuffixed ? piece.dropLast(WireName.playlistSuffix.count) : piece
                if let identifier = PodIdentifier(path: "\(form)/\(value)") { return identifier }
            }
            form = piece == WireName.pod || piece == WireName.adBreakID ? piece : nil
        }
        return nil
    }
}

extension Substring {
    /// Keeps empty pieces.
    ///
    /// A `/` before a combining mark is a `/` (RFC 3986 section 2). Splitting Characters takes ten times as long.
    package func pieces(between separator: Unicode.Scalar) -> [Substring] {
        utf8.split(separator: UInt8(truncatingIfNeeded: separator.value), omittingEmptySubsequences: false)
            .map(Substring.init)
    }
}

package enum IdentifierPolicy: String, Sendable, CaseIterable {
    /// Derived from the break alone by a template, hence equal for every viewer.
    ///
    /// Placeholders: `{start}` (epoch seconds, to the nearest: packagers round to either side of a second), `{ordinal}`, `{id}`
    /// (the date range's ID, or the start). At most 63 of `a-z`, `0-9` and `-`, as Early Ad Break Notification requires of an
    /// `adBreakId`.
    case synchronised
    case sequence
    /// `ad_break_id/mid-roll-{minute}` of the IMA guide's sample, with the minute of the *click* plus one.
    ///
    /// ``GuideMinuteRule`` moves late clicks to the minute after, but not the name: viewers of one break request two pods.
    case guideSample = "guide-sample"

    package func identifier(
        for scheduled: ScheduledBreak,
        clickedAt click: WallTime,
        template: String
    ) -> PodIdentifier {
        switch self {
        case .synchronised:
            let start = String((scheduled.start + .milliseconds(500)).epochSeconds)
            let name = template.replacing("{start}", with: start)
                .replacing("{ordinal}", with: String(scheduled.ordinal))
                .replacing("{id}", with: scheduled.dateRangeID ?? start)
            return .adBreakID(Self.sanitised(name.isEmpty ? "break-\(start)" : name))
        case .sequence: return .sequence(scheduled.ordinal)
        case .guideSample: return .adBreakID("mid-roll-\(GuideMinuteRule.minute(of: click) + 1)")
        }
    }

    private static let longestName = 63

    private static func sanitised(_ name: String) -> String {
        let bytes = name.lowercased().utf8.map { $0.isAlphanumeric ? $0 : UInt8(ascii: "-") }
        guard bytes.count > longestName else { return String(decoding: bytes, as: UTF8.self) }
        var hash = FNV1a()
        hash.add(name.utf8)
        let suffix = "-" + String(hash.value, radix: 16)
        return String(decoding: bytes.prefix(longestName - suffix.utf8.count), as: UTF8.self) + suffix
    }
}

/// Schedule of the IMA guide's sample, to the letter: `var secondsToAdBreakStart = 60 - currentSeconds % 60`, and 60 more if
/// that is less than 30, with the clock read in whole seconds.
package enum GuideMinuteRule {
    package static let shortestLeadSeconds: Int64 = 30

    /// The ordinal counts minutes of the Unix epoch.
    package static func nextBreak(clickedAt click: WallTime, duration: Duration) -> ScheduledBreak {
        let currentSeconds = click.epochSeconds
        let secondOfMinute = currentSeconds - minute(of: click) * 60
        var secondsToBreak = 60 - secondOfMinute
        if secondsToBreak < shortestLeadSeconds { secondsToBreak += 60 }
        let startSeconds = currentSeconds + secondsToBreak
        return ScheduledBreak(
            start: WallTime(microseconds: startSeconds &* 1_000_000),
            duration: duration,
            ordinal: Int(startSeconds / 60)
        )
    }

    /// Since the Unix epoch, rounded down.
    static func minute(of time: WallTime) -> Int64 {
        let seconds = time.epochSeconds
        return seconds >= 0 ? seconds / 60 : (seconds - 59) / 60
    }
}
