import Rulebook

extension BreakRecord: Codable {
    private enum CodingKeys: String, CodingKey {
        case key
        case startMicroseconds = "start_us"
        case durationMilliseconds = "duration_ms"
        case meeting = "met"
        case isOverflow = "overflow"
        case due
        case onTime = "on_time"
        case late
        case failures = "failed"
        case skips = "skipped"
        case inHandFirst = "in_hand_first"
        case inHandLast = "in_hand_last"
        case latenessMaximum = "late_max"
        case latenessSum = "late_sum"
        case requests
        case errors
        case slowest
        case sendLateness = "send"
        case burst
        case inHand = "in_hand"
        case pods
        case personas
        case discovery
        case announcements
        case fill
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            key: try values.decode(String.self, forKey: .key),
            startMicroseconds: try values.decode(Int64.self, forKey: .startMicroseconds),
            durationMilliseconds: try values.decode(Int.self, forKey: .durationMilliseconds),
            meeting: try values.decodeIfPresent(String.self, forKey: .meeting).flatMap(BreakMeeting.init)
                ?? .individual,
            isOverflow: try values.decodeIfPresent(Bool.self, forKey: .isOverflow) ?? false
        )
        due = try values.largeCount(.due)
        onTime = try values.largeCount(.onTime)
        late = try values.largeCount(.late)
        failureCounts = try Self.counts(values, .failures, BreakFailure.allCases.count) {
            BreakFailure(rawValue: $0)?.slot
        }
        let passed = SkipReason.allCases.count
        skipCounts = try Self.counts(values, .skips, passed + 1) {
            $0 == Self.formerSkip ? passed : SkipReason(rawValue: $0)?.slot
        }
        failureCounts[BreakFailure.noSession.slot] &+= skipCounts.removeLast()
        inHandFirst = try values.decodeIfPresent(Int64.self, forKey: .inHandFirst)
        inHandLast = try values.decodeIfPresent(Int64.self, forKey: .inHandLast)
        latenessMaximumMicroseconds = try values.decodeIfPresent(Int64.self, forKey: .latenessMaximum) ?? 0
        latenessSumMicroseconds = try values.decodeIfPresent(Int64.self, forKey: .latenessSum) ?? 0
        requests = try values.largeCount(.requests)
        errors = try values.largeCount(.errors)
        slowestResponseMicroseconds = try values.decodeIfPresent(Int64.self, forKey: .slowest) ?? 0
        if let sends = try values.decodeIfPresent(SparseHistogram.self, forKey: .sendLateness) {
            sendLateness.add(sends)
        }
        burst = try values.decodeIfPresent(BurstWindow.self, forKey: .burst) ?? BurstWindow()
        inHand = try values.decodeIfPresent(BurstWindow.self, forKey: .inHand) ?? BurstWindow()
        pods = try values.decodeIfPresent(PodLedger.self, forKey: .pods) ?? PodLedger()
        personas = try values.decodeIfPresent(PersonaTallies.self, forKey: .personas) ?? PersonaTallies()
        discovery = try values.decodeIfPresent(DiscoveryWindow.self, forKey: .discovery) ?? DiscoveryWindow()
        announcements =
            try values.decodeIfPresent(AnnouncementLedger.self, forKey: .announcements) ?? AnnouncementLedger()
        fill = try values.decodeIfPresent(FillLedger.self, forKey: .fill) ?? FillLedger()
    }

    private static func counts(
        _ values: KeyedDecodingContainer<CodingKeys>,
        _ key: CodingKeys,
        _ size: Int,
        slot: (String) -> Int?
    ) throws -> [UInt64] {
        var counts = [UInt64](repeating: 0, count: size)
        for (name, count) in try values.decodeIfPresent([String: UInt64].self, forKey: key) ?? [:] {
            guard let slot = slot(name), count < 1 << 48 else {
                throw DecodingError.dataCorruptedError(forKey: key, in: values, debugDescription: "\(name): \(count)")
            }
            counts[slot] = count
        }
        return counts
    }

    /// The name under which podswarm 0.1 counted due viewers without a session among those that skipped.
    private static let formerSkip = "no_stream_id"

    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(key, forKey: .key)
        try values.encode(startMicroseconds, forKey: .startMicroseconds)
        try values.encode(durationMilliseconds, forKey: .durationMilliseconds)
        if meeting != .individual { try values.encode(meeting.rawValue, forKey: .meeting) }
        if isOverflow { try values.encode(true, forKey: .isOverflow) }
        for (key, count) in [
            (CodingKeys.due, due), (.onTime, onTime), (.late, late), (.requests, requests), (.errors, errors),
        ] where count > 0 { try values.encode(count, forKey: key) }
        if failed > 0 { try values.encode(failuresByName, forKey: .failures) }
        if skipped > 0 { try values.encode(skipsByName, forKey: .skips) }
        try values.encodeIfPresent(inHandFirst, forKey: .inHandFirst)
        try values.encodeIfPresent(inHandLast, forKey: .inHandLast)
        for (key, figure) in [
            (CodingKeys.latenessMaximum, latenessMaximumMicroseconds), (.latenessSum, latenessSumMicroseconds),
            (.slowest, slowestResponseMicroseconds),
        ] where figure != 0 { try values.encode(figure, forKey: key) }
        let sends = SparseHistogram(sendLateness)
        if !sends.isEmpty { try values.encode(sends, forKey: .sendLateness) }
        if burst != BurstWindow() { try values.encode(burst, forKey: .burst) }
        if inHand != BurstWindow() { try values.encode(inHand, forKey: .inHand) }
        if pods != PodLedger() { try values.encode(pods, forKey: .pods) }
        if personas != PersonaTallies() { try values.encode(personas, forKey: .personas) }
        if discovery != DiscoveryWindow() { try values.encode(discovery, forKey: .discovery) }
        if announcements != AnnouncementLedger() { try values.encode(announcements, forKey: .announcements) }
        if !fill.isEmpty { try values.encode(fill, forKey: .fill) }
    }
}
