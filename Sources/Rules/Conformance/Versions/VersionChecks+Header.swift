import HLS

extension VersionChecks {
    /// Compares both versions' header tags about production and delivery (bis-22 section 6.2.1: nothing in a media playlist may
    /// change but the two counts and the lines that come and go at its ends).
    ///
    /// Only values that both versions have are compared: tags appear when a channel starts to deliver with low latency, and the
    /// version number follows what is listed, which the text leaves open.
    static func checkPromises(_ pair: VersionPair, _ result: inout VersionTransition) {
        let (previous, next) = (pair.previous, pair.next)
        check("#EXT-X-PART-INF:PART-TARGET", previous.partTarget, next.partTarget, &result)
        guard let known = previous.serverControl, let found = next.serverControl, known != found else { return }
        check("#EXT-X-SERVER-CONTROL:HOLD-BACK", known.holdBackSeconds, found.holdBackSeconds, &result)
        check("#EXT-X-SERVER-CONTROL:PART-HOLD-BACK", known.partHoldBackSeconds, found.partHoldBackSeconds, &result)
        check("#EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL", known.canSkipUntilSeconds, found.canSkipUntilSeconds, &result)
    }

    private static func check(
        _ name: StaticString,
        _ known: Double?,
        _ found: Double?,
        _ result: inout VersionTransition
    ) {
        guard let known, let found, known != found else { return }
        result.add(Violation(.headerChanged, expected: "\(name)=\(known)", observed: "\(name)=\(found)"))
    }
}

extension MediaPlaylist {
    fileprivate var partTarget: Double? { partTargetMicroseconds.map { Double($0) / 1_000_000 } }
}
