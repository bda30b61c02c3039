import Values

/// Subject of a media verification: an event in an ad of a pod.
struct MediaTag: Sendable, Hashable {
    /// Events of an ad in metadata, in their order.
    enum Event: UInt8, CaseIterable, Sendable {
        case start
        case firstQuartile
        case midpoint
        case thirdQuartile
        case complete

        var type: String { "\(self)".lowercased() }
    }

    let decision: UInt64
    let ad: Int
    let event: Event

    private static let prefix = "google_"

    /// Media id, listed as a prefix in the metadata and appended to the verification URL.
    var mediaID: String {
        "\(Self.prefix)\(decision.hexadecimal(digits: 16))-\(ad)-\(event.rawValue)"
    }

    /// Media id that verification requires if metadata lists prefixes: its end does not follow from the prefix.
    func wholeID(seed: UInt64) -> String {
        "\(mediaID)-\(SeededHash(seed: seed, "whole id", mediaID).value.hexadecimal(digits: 16))"
    }
}

extension MediaTag {
    /// Parses a media id: a listed prefix, alone or followed by `-` and any text.
    init?(mediaID: some StringProtocol) {
        guard mediaID.hasPrefix(Self.prefix) else { return nil }
        let parts = mediaID.dropFirst(Self.prefix.count).split(
            separator: "-",
            maxSplits: 3,
            omittingEmptySubsequences: false
        )
        guard parts.count >= 3, parts[0].utf8.count == 16, let decision = UInt64(parts[0], radix: 16),
            let ad = Int(parts[1]), ad >= 0, let event = UInt8(parts[2]).flatMap(Event.init(rawValue:))
        else { return nil }
        self.init(decision: decision, ad: ad, event: event)
    }
}

/// An ad at a position of a pod, named in segment addresses that carry media ids.
struct AdInPod: Sendable, Hashable {
    let identifier: String
    let token: String
    let place: Int
    let milliseconds: Int

    var folder: String { "\(token)-\(place)-\(milliseconds)" }
}

extension AdInPod {
    /// Nil unless the folder has the form of ``folder``.
    init?(identifier: String, folder: some StringProtocol) {
        let pieces = folder.split(separator: "-", omittingEmptySubsequences: false)
        guard pieces.count == 3, let place = Int(pieces[1]), let milliseconds = Int(pieces[2]), place >= 0,
            (1...PodLimits.maximumSeconds * 1_000).contains(milliseconds)
        else { return nil }
        self.init(identifier: identifier, token: String(pieces[0]), place: place, milliseconds: milliseconds)
    }
}
