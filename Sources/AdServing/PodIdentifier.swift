/// Which ad pod is asked for: the break's number, or its name.
package enum PodIdentifier: Hashable, Sendable {
    /// `pod/{int}`: 1 for the first break of the event, one more for each after it.
    case sequence(Int)
    /// `ad_break_id/{string}`; a name never seen before creates a new break on the event.
    case adBreakID(String)

    /// `pod/7` or `ad_break_id/mid-roll-3`, the name percent-encoded.
    package var pathComponent: String {
        switch self {
        case .sequence(let number):
            "\(WireName.pod)/\(number)"
        case .adBreakID(let name):
            "\(WireName.adBreakID)/\(PercentEncoding.encode(name))"
        }
    }

    /// Reads what ``pathComponent`` writes; nil for anything else.
    package init?(path: some StringProtocol) {
        guard let slash = path.firstIndex(of: "/") else {
            return nil
        }
        let form = path[..<slash]
        let value = path[path.index(after: slash)...]
        guard !value.isEmpty, !value.contains("/") else {
            return nil
        }
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
