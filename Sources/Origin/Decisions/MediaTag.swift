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

    init(decision: UInt64, ad: Int, event: Event) {
        self.decision = decision
        self.ad = ad
        self.event = event
    }

    /// Media id, listed as a prefix in the metadata and appended to the verification URL.
    var mediaID: String {
        "\(Self.prefix)\(decision.hexadecimal(digits: 16))-\(ad)-\(event.rawValue)"
    }

    /// Media id that verification requires if metadata lists prefixes: its end does not follow from the prefix.
    func wholeID(seed: UInt64) -> String {
        var hash = SeededHash(seed: seed)
        hash.combine("whole id")
        hash.combine(mediaID)
        return "\(mediaID)-\(hash.value.hexadecimal(digits: 16))"
    }

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
