import Time

/// Reckons an audience from what was kept of its requests.
struct AudienceReckoning {
    /// Viewers that only their addresses tell are left out where they make a smaller share of the requests and
    /// sessions tell most.
    private static let leastShare = 0.05
    /// More than this share are most.
    private static let mainShare = 0.5
    /// A viewer changes its address now and then; of a name that many have nearly each request comes from elsewhere.
    private static let strangeShare = 0.3
    /// Whoever asks once only, such as a probe, is nobody who watches.
    private static let fewestRequests = 2
    /// So many times more come in the log's first moments than in the next where it begins in the midst.
    private static let surge = 4
    private static let fewestInSurge = 10

    /// No player polls a playlist again so soon, but where it repeats a request that failed.
    private static let hurriedMilliseconds = 100
    private static let hurriedShare = 0.05
    /// A blocking reload waits for a part, of a third of a second as a rule.
    private static let shortestMeanPoll = 250.0

    private let tally: AudienceTally
    private var figures = AudienceFigures()
    private var start: Int64 = .max
    private var end: Int64 = .min
    /// The mean time between two polls, by which a viewer's end is not known; 0 where none was seen.
    private var poll: Double = 0
    /// Whoever was last seen no longer before the log's end was still there.
    private var patience: Int64 = 0
    private var isUnderWay = false
    private var leftOut: Set<Int> = []

    init(_ tally: AudienceTally) { self.tally = tally }

    /// - Throws: Why there is no audience.
    mutating func reckoned() throws(AudienceLogError) -> AudienceFigures {
        reckonMarks()
        let told = [RequestKind.playlist, .segment, .ads].reduce(0) { $0 + tally.counts.kinds[$1.rawValue] }
        // One in a thousand is of a whole second by chance.
        figures.hasWholeSeconds = tally.counts.wholeSeconds * 2 > told
        try reckonSpan()
        var all = PollIntervals()
        for intervals in tally.intervals { all.add(intervals) }
        poll = all.meanMilliseconds ?? 0
        patience = Int64(min(2 * poll, all.milliseconds(at: 0.99) ?? 0))
        isUnderWay = beginsInMidst()
        figures.isUnderWayAtStart = isUnderWay
        figures.gap = .milliseconds(Int64(tally.gap))
        figures.sampledOneIn = tally.table.weight
        figures.outside = tally.counts.outside + tally.counts.tooFar
        figures.untold = tally.counts.untold
        figures.joinedStays = tally.counts.joinedStays
        figures.requests = RequestKind.allCases.map {
            RequestCount(kind: "\($0)", count: tally.counts.kinds[$0.rawValue])
        }
        reckonPresence()
        var notes = AudienceNotes(figures, pollMilliseconds: poll)
        notes.strangeMarks = strangeMarks()
        notes.droppedAsks = tally.asks.dropped + tally.asksOnJoining.dropped
        notes.hasHurriedPolls = hasHurriedPolls(all)
        notes.tooFar = tooFar
        notes.outside = tally.counts.outside
        figures.notes = notes.all()
        return figures
    }

    private mutating func reckonMarks() {
        let total = tally.counts.byMark.reduce(0, +)
        guard total > 0 else { return }
        let shares = tally.counts.byMark.map { Double($0) / Double(total) }
        let address = ViewerMark.address.rawValue
        let sessions = 1 - shares[address]
        if sessions > Self.mainShare, shares[address] < Self.leastShare { leftOut.insert(address) }
        figures.marks = ViewerMark.allCases
            .filter { shares[$0.rawValue] > 0 }
            .map { .init(mark: $0, share: shares[$0.rawValue], isLeftOut: leftOut.contains($0.rawValue)) }
    }

    /// Marks whose viewers come from so many addresses that they are hardly one viewer's.
    private func strangeMarks() -> [ViewerMark] {
        var requests = [Int](repeating: 0, count: ViewerMark.allCases.count)
        var elsewhere = requests
        for entry in tally.table.entries where entry.hash != 0 && entry.watches {
            requests[entry.mark.rawValue] += min(Int(entry.requests), Int(UInt8.max))
            elsewhere[entry.mark.rawValue] += Int(entry.elsewhere)
        }
        return ViewerMark.allCases.filter {
            Double(elsewhere[$0.rawValue]) > Self.strangeShare * Double(requests[$0.rawValue])
        }
    }

    private mutating func reckonSpan() throws(AudienceLogError) {
        forEachStay { _, stay, _ in
            start = min(start, Int64(stay.first))
            end = max(end, Int64(stay.last))
        }
        guard start <= end, let zero = tally.zero else {
            throw .nobodyWatches("what was read " + whatItHolds)
        }
        let days = (end - start) / 86_400_000
        guard days < AudienceLogOptions.longestDays else { throw .tooLong(days: Int(days)) }
        // The last of whole seconds is in it to its end.
        figures.seconds = Int((end - start + 999) / 1000) + (figures.hasWholeSeconds ? 1 : 0)
        figures.start = WallTime(microseconds: (zero + start) * 1000)
    }

    /// What is in a log of which nobody watches.
    private var whatItHolds: String {
        let counts = tally.counts
        let requests = "holds \(AudienceText.counted(counts.requests, "request"))"
        if let tooFar { return "\(requests); \(tooFar)" }
        let watched = counts.kinds[RequestKind.playlist.rawValue] + counts.kinds[RequestKind.segment.rawValue]
        let ads = counts.kinds[RequestKind.ads.rawValue]
        if watched > 0 {
            let untold = "; nothing tells who made \(counts.untold) of the requests: --field names what does"
            return "holds \(AudienceText.counted(watched, "request")) for playlists or segments, and nobody who asks "
                + "twice" + (counts.untold > 0 ? untold : "")
        }
        if ads > 0 {
            return "asks for ads \(ads) times and for no playlist or segment: who watches is in the channel's log"
        }
        if counts.requests > 0, counts.outside == counts.requests {
            return "\(requests), none of them between --from and --to"
        }
        return "holds no request for a playlist or a segment" + (counts.outside > 0 ? " between --from and --to" : "")
    }

    /// How many requests are left out for their distance, and what to do; nil for none.
    private var tooFar: String? {
        let count = tally.counts.tooFar
        guard count > 0, let zero = tally.zero else { return nil }
        let first = WallTime(microseconds: zero * 1000).iso8601
        return
            "\(AudienceText.counted(count, "request")) made \(AudienceLogOptions.longestDays) days or more before or "
            + "after the first one that was read, of \(first), \(count == 1 ? "is" : "are") left out: --from and --to "
            + "choose the event"
    }

    /// Goes through all stays of all viewers that are not left out; each viewer's first comes first.
    private func forEachStay(_ body: (_ entry: ViewerEntry, _ stay: Stay, _ isFirst: Bool) -> Void) {
        for entry in tally.table.entries where entry.hash != 0 && entry.requests >= Self.fewestRequests {
            guard !leftOut.contains(entry.mark.rawValue) else { continue }
            let inline = Stay(first: entry.first, last: entry.last)
            guard entry.more != 0 else {
                body(entry, inline, true)
                continue
            }
            var stays = [inline]
            tally.table.stays.forEach(entry.more) { stays.append($0) }
            stays.sort { $0.first < $1.first }
            for (index, stay) in stays.enumerated() { body(entry, stay, index == 0) }
        }
    }

    /// Whether a playlist is asked for so often by one viewer that it must be several.
    private func hasHurriedPolls(_ intervals: PollIntervals) -> Bool {
        // Stamps of whole seconds say of two polls within one only that they are.
        guard !figures.hasWholeSeconds else { return poll > 0 && poll < Self.shortestMeanPoll }
        return intervals.share(below: Self.hurriedMilliseconds) > Self.hurriedShare
    }

    /// Whether the first viewers were there before: a surge of them that begin with the playlist that they poll.
    private func beginsInMidst() -> Bool {
        guard poll > 0 else { return false }
        let moment = Int64(2 * poll)
        var (first, next, midst) = (0, 0, 0)
        forEachStay { entry, stay, isFirst in
            switch Int64(stay.first) - start {
            case ..<moment:
                first += 1
                if isFirst, entry.beganInMidst { midst += 1 }
            case ..<(2 * moment): next += 1
            default: break
            }
        }
        return first >= Self.fewestInSurge && first > Self.surge * next && midst * 2 > first
    }
}

// MARK: - Who was there

extension AudienceReckoning {
    private mutating func reckonPresence() {
        let weight = tally.table.weight
        var count = PresenceCount(start: Int32(clamping: start), seconds: figures.seconds)
        var lengths = StayLengths()
        var (viewers, watched) = ([Int](), [Double]())
        // Until half a poll after its last request a viewer is as likely there as not.
        let (half, moment) = (Int64(poll / 2), Int64(2 * poll))
        // A stamp of a whole second stands for any instant in it.
        let unseen: Int64 = figures.hasWholeSeconds ? 500 : 0
        var total = 0
        forEachStay { entry, stay, isFirst in
            let isBefore = isUnderWay && Int64(stay.first) - start < moment
            let isAfter = end - Int64(stay.last) <= patience
            let first = isBefore ? start : Int64(stay.first) + unseen
            let last = (isAfter ? end : Int64(stay.last) + half) + unseen
            // Behind the last second that is counted.
            count.add(first: first, last: isAfter ? end + 2000 : last, joins: !isBefore)
            if isBefore {
                lengths.underWay += 1
            } else {
                lengths.add(milliseconds: last - first, isCutOff: isAfter)
            }
            let player = Int(entry.player)
            while viewers.count <= player {
                viewers.append(0)
                watched.append(0)
            }
            if isFirst {
                viewers[player] += 1
                total += 1
            }
            watched[player] += Double(last - first) + 1
        }
        count.finish()
        figures.viewers = total * weight
        figures.stays = lengths.figures(weight: weight)
        figures.joinsPerMinuteAtMost = count.joinsPerMinuteAtMost * weight
        setCurve(count.viewers, weight)
        let rises = zip(figures.curve, figures.curve.dropFirst()).reduce(0) { $0 + max(0, $1.1.viewers - $1.0.viewers) }
        figures.churnPerMinute = count.churnPerMinute(besides: rises / weight)
        figures.players = players(viewers, watched, weight)
        let search = BreakSearch(
            asks: tally.asks,
            asksOnJoining: tally.asksOnJoining,
            viewers: count.viewers,
            firstSecond: Double(start) / 1000,
            hasWholeSeconds: figures.hasWholeSeconds,
            weight: weight
        )
        let found = search.found()
        figures.breaks = found.breaks
        figures.asksApart = found.apart
        figures.asksOnJoining = found.onJoining
    }

    private mutating func setCurve(_ viewers: [Int32], _ weight: Int) {
        figures.peak = Int(viewers.max() ?? 0) * weight
        let reduction = CurveReduction(viewers)
        figures.curve = reduction.points.map { .init(second: $0.second, viewers: $0.viewers * weight) }
        figures.curveError = reduction.error * weight
        let step = max(10, (viewers.count / 10_000 + 9) / 10 * 10)
        figures.presence = stride(from: 0, to: viewers.count, by: step)
            .map { .init(second: $0, viewers: Int(viewers[$0]) * weight) }
    }

    private func players(_ viewers: [Int], _ watched: [Double], _ weight: Int) -> [AudienceFigures.Player] {
        let all = watched.reduce(0, +)
        let found = viewers.indices.filter { viewers[$0] > 0 }
            .map { index in
                let intervals = index < tally.intervals.count - 1 ? tally.intervals[index] : PollIntervals()
                let polls = [0.1, 0.5, 0.9].compactMap { share in
                    intervals.milliseconds(at: share).map { AudienceFigures.Percentile(share: share, value: $0) }
                }
                return AudienceFigures.Player(
                    name: index < tally.players.names.count ? tally.players.names[index] : "",
                    group: PlayerNames.group(index),
                    viewers: viewers[index] * weight,
                    share: all > 0 ? watched[index] / all : 0,
                    pollMeanMilliseconds: intervals.meanMilliseconds,
                    polls: figures.hasWholeSeconds ? [] : polls
                )
            }
        return found.sorted { ($0.share, $1.name) > ($1.share, $0.name) }
    }
}
