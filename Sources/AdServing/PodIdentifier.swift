import Values

package enum PodIdentifier: Hashable, Sendable {
    /// `pod/{int}`: 1 for the first break of the event.
    case sequence(Int)
    /// `ad_break_id/{string}`; a name never seen before creates a new break on the event.
    case adBreakID(String)

    package var pathComponent: String {
        switch self {
        case .sequence(let number):
            "\(WireName.pod)/\(number)"
        case .adBreakID(let name):
            "\(WireName.adBreakID)/\(PercentEncoding.encode(name))"
        }
    }

    /// Parses the text of ``pathComponent``; nil for anything else.
    package init?(path: some StringProtocol) {
        let pieces = Substring(path).pieces(between: "/")
        guard pieces.count == 2, !pieces[1].isEmpty else {
            return nil
        }
        let (form, value) = (pieces[0], pieces[1])
        if form == WireName.pod {
            guard let number = Int(value), number >= 0, String(number) == value else {
                return nil
            }
            self = .sequence(number)
        } else if form == WireName.adBreakID {
            self = .adBreakID(PercentEncoding.decode(value))
        } else {
            return nil
        }
    }
}

extension PodIdentifier {
    /// Finds the identifier in a URL of a pod, absolute or relative: in its path, as in Ad Manager's pod serving, or its query.
    ///
    /// `…/pod/7.m3u8`, `…/ad_break_id/mid-roll-3/profile/…`, `?ad_break_id=mid-roll-3`, `?pod_id=7`.
    package init?(inURL url: String) {
        let end = url.firstIndex { $0 == "?" || $0 == "#" } ?? url.endIndex
        if let named = Self.named(inPath: url[..<end]) {
            self = named
            return
        }
        guard end < url.endIndex, url[end] == "?" else {
            return nil
        }
        let query = url[url.index(after: end)...].prefix { $0 != "#" }
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else {
                continue
            }
            if parts[0] == WireName.adBreakID {
                self = .adBreakID(PercentEncoding.decode(parts[1]))
                return
            }
            if parts[0] == WireName.Token.podID, let number = Int(parts[1]), number >= 0 {
                self = .sequence(number)
                return
            }
        }
        return nil
    }

    private static func named(inPath path: Substring) -> PodIdentifier? {
        var form: Substring?
        for piece in path.split(separator: "/") {
            if let form {
                let isSuffixed = piece.hasSuffix(WireName.playlistSuffix)
                let value = isSuffixed ? piece.dropLast(WireName.playlistSuffix.count) : piece
                if let identifier = PodIdentifier(path: "\(form)/\(value)") {
                    return identifier
                }
            }
            form = piece == WireName.pod || piece == WireName.adBreakID ? piece : nil
        }
        return nil
    }
}

extension Substring {
    /// Splits at an ASCII character and keeps empty pieces; returns at least one.
    ///
    /// Splits bytes: addresses are bytes (RFC 3986 section 2), and a `/` before a combining mark is a `/`; splitting by
    /// Characters takes ten times as long.
    package func pieces(between separator: Unicode.Scalar) -> [Substring] {
        utf8.split(separator: UInt8(truncatingIfNeeded: separator.value), omittingEmptySubsequences: false)
            .map(Substring.init)
    }
}
