import Report
import Values

/// Computes audience figures from the tally of requests.
struct AudienceReckoning {
    /// Viewers known only by address are ignored below this share, if sessions identify most of the rest.
    private static let leastShare = 0.05
    private static let mainShare = 0.5
    /// Requests from another address: a viewer rarely changes its address, a shared name does constantly.
    private static let strangeShare = 0.3
    private static let fewestRequests = 2
    /// Ratio of joins in the log's first moment to those in the next, above which the log starts during the event.
    private static let surge = 4
    private static let fewestInSurge = 10
    /// No player polls a playlist again this soon, except to retry a failed request.
    private static let hurriedMilliseconds = 100
    private static let hurriedShare = 0.05
    /// Milliseconds; a blocking reload waits for a part, usually of a third of a second.
    private static let shortestMeanPoll = 250.0

    let tally: AudienceTally
    private let browserPlayer: String
    private(set) var figures = AudienceFigures()
    /// Sorted by viewer, then by time.
    private var stays: [ViewerTable.Ended] = []
    private var start: Int64 = .max
    private var end: Int64 = .min
    /// Mean milliseconds between polls, the uncertainty of a stay's end; 0 without polls.
    private(set) var poll = 0.0
    /// Milliseconds before the log's end within which a viewer counts as still present.
    private var patience: Int64 = 0
    private var hasWholeSeconds: Bool { figures.stamps == .second }
    /// Milliseconds of two polls: separates the start of the log from what follows.
    private var moment: Int64 { Int64(2 * poll) }

    init(_ tally: AudienceTally, _ read: AudienceFigures.Read, browserPlayer: String) {
        self.tally = tally
        self.browserPlayer = browserPlayer
        figures.read = read
    }

    /// Fails if the log has no audience.
    mutating func reckoned() throws(AudienceLogError) -> AudienceFigures {
        let counts = tally.counts
        for kind in RequestKind.allCases { figures.read.requests["\(kind)"] = counts.of(kind) }
        figures.read.outside = counts.outside + counts.tooFar
        figures.read.untold = counts.untold
        // Stamps of milliseconds are whole seconds by chance, one in a thousand.
        figures.stamps = counts.wholeSeconds * 2 > counts.of(.playlist, .segment, .ads) ? .second : .millisecond
        figures.gapSeconds = Int(tally.gap / 1000)
        figures.sampledOneIn = tally.table.weight
        reckonMarks()
        try reckonSpan()
        let polls = tally.intervals.reduce(PollIntervals()) { $0 + $1 }
        poll = polls.meanMilliseconds ?? 0
        patience = Int64(min(2 * poll, polls.milliseconds(at: 0.99) ?? 0))
        figures.underWayAtStart = beginsInMidst()
        reckonPresence()
        figures.notes = notes(polls)
        figures.players.removeAll { !AudiencePersona.mayBeNamed($0) }
        return figures
    }

    private mutating func reckonMarks() {
        let total = ViewerMark.allCases.reduce(0) { $0 + tally.counts.byMark[$1.rawValue] }
        guard total > 0 else { return }
        let shares = ViewerMark.allCases.map {
            (mark: $0, share: Double(tally.counts.byMark[$0.rawValue]) / Double(total))
        }
        let byAddress = shares[ViewerMark.address.rawValue].share
        let isLeftOut = 1 - byAddress > Self.mainShare && byAddress < Self.leastShare
        figures.toldBy = shares.filter { $0.share > 0 }
            .map { .init(mark: $0.mark, share: $0.share, leftOut: $0.mark == .address && isLeftOut) }
    }

    /// Marks whose viewers use so many addresses that each mark is hardly one viewer's.
    func strangeMarks() -> [ViewerMark] {
        var (requests, elsewhere): ([ViewerMark: Int], [ViewerMark: Int]) = ([:], [:])
        for entry in tally.table.entries.values where entry.traits.contains(.watches) {
            requests[entry.mark, default: 0] += min(Int(entry.requests), Int(UInt8.max))
            elsewhere[entry.mark, default: 0] += Int(entry.elsewhere)
        }
        return ViewerMark.allCases.filter {
            Double(elsewhere[$0] ?? 0) > Self.strangeShare * Double(requests[$0] ?? 0)
        }
    }

    private mutating func reckonSpan() throws(AudienceLogError) {
        let leftOut = Set(figures.toldBy.filter(\.leftOut).map(\.mark))
        let table = tally.table
        func counts(_ entry: ViewerEntry) -> Bool {
            entry.requests >= Self.fewestRequests && !leftOut.contains(entry.mark)
        }
        let latest = table.entries.lazy.filter { counts($0.value) }
            .map { ViewerTable.Ended(viewer: $0.key, stay: $0.value.stay) }
        stays = table.joined(table.ended.filter { table[$0.viewer].map(counts) ?? false } + latest)
        for ended in stays {
            start = min(start, Int64(ended.stay.first))
            end = max(end, Int64(ended.stay.last))
        }
        guard start <= end, let zero = tally.zero else { throw .nobodyWatches("what was read " + whatItHolds) }
        let days = (end - start) / 86_400_000
        guard days < AudienceLogOptions.longestDays else { throw .tooLong(days: Int(days)) }
        // With stamps of whole seconds, the last second counts to its end.
        figures.seconds = Int((end - start + 999) / 1000) + (hasWholeSeconds ? 1 : 0)
        figures.start = WallTime(microseconds: (zero + start) * 1000)
    }

    private var whatItHolds: String {
        let counts = tally.counts
        let requests = "holds \(TextLayout.counted(counts.requests, "request"))"
        if let tooFar { return "\(requests); \(tooFar)" }
        let watched = counts.of(.playlist, .segment)
        let ads = counts.of(.ads)
        if watched > 0 {
            let untold = "; nothing tells who made \(counts.untold) of the requests: --field names what does"
            return "holds \(TextLayout.counted(watched, "request")) for playlists or segments, and no viewer that asks "
                + "twice" + (counts.untold > 0 ? untold : "")
        }
        if ads > 0 {
            return
                "asks for ads \(TextLayout.counted(ads, "time")) and for no playlist or segment: who watches is in the channel's log"
        }
        if counts.requests > 0, counts.outside == counts.requests {
            return "\(requests), none of them between --from and --to"
        }
        return "holds no request for a playlist or a segment" + (counts.outside > 0 ? " between --from and --to" : "")
    }

    var tooFar: String? {
        let count = tally.counts.tooFar
        guard count > 0, let zero = tally.zero else { return nil }
        let first = WallTime(microseconds: zero * 1000).iso8601
        return
            "\(TextLayout.counted(count, "request")) made \(AudienceLogOptions.longestDays) days or more before or "
            + "after the first one that was read, of \(first), \(count == 1 ? "is" : "are") left out: --from and --to "
            + "choose the event"
    }

    /// The first stay of each viewer comes first.
    private func forEachStay(_ body: (_ viewer: UInt64, _ stay: Stay, _ isFirst: Bool) -> Void) {
        for (index, ended) in stays.enumerated() {
            body(ended.viewer, ended.stay, index == 0 || stays[index - 1].viewer != ended.viewer)
        }
    }

    /// Playlists are polled so fast that one mark must stand for several viewers.
    func hasHurriedPolls(_ intervals: PollIntervals) -> Bool {
        // With whole seconds, only the mean of shorter intervals can be measured.
        guard !hasWholeSeconds else { return poll > 0 && poll < Self.shortestMeanPoll }
        return intervals.share(below: Self.hurriedMilliseconds) > Self.hurriedShare
    }

    /// A surge of first viewers that begin with the playlist that they go on to poll.
    private func beginsInMidst() -> Bool {
        guard poll > 0 else { return false }
        var (first, next, midst) = (0, 0, 0)
        forEachStay { viewer, stay, isFirst in
            switch Int64(stay.first) - start {
            case ..<moment:
                first += 1
                if isFirst, tally.table[viewer]?.traits.contains(.beganInMidst) == true { midst += 1 }
            case ..<(2 * moment): next += 1
            default: break
            }
        }
        return first >= Self.fewestInSurge && first > Self.surge * next && midst * 2 > first
    }

    private mutating func reckonPresence() {
        let weight = tally.table.weight
        var count = PresenceCount(start: start, seconds: figures.seconds)
        var lengths = StayLengths()
        let none = (viewers: 0, watched: 0.0)
        var players = [(viewers: Int, watched: Double)](repeating: none, count: tally.players.names.count)
        // A viewer's end lies between its last request and the next poll.
        let half = Int64(poll / 2)
        // On average half a second later than a stamp of a whole second.
        let unseen: Int64 = hasWholeSeconds ? 500 : 0
        forEachStay { viewer, stay, isFirst in
            let isBefore = figures.underWayAtStart && Int64(stay.first) - start < moment
            let isAfter = end - Int64(stay.last) <= patience
            let first = isBefore ? start : Int64(stay.first) + unseen
            let last = (isAfter ? end : Int64(stay.last) + half) + unseen
            // An end after the last counted second means that the viewer stays.
            count.add(first: first, last: isAfter ? end + 2000 : last, joins: !isBefore)
            if isBefore {
                lengths.underWay += 1
            } else {
                lengths.add(milliseconds: last - first, isCutOff: isAfter)
            }
            let player = Int(tally.table[viewer]?.player ?? 0)
            players[player].viewers += isFirst ? 1 : 0
            players[player].watched += Double(last - first) + 1
        }
        count.finish()
        figures.viewers = players.reduce(0) { $0 + $1.viewers } * weight
        figures.stays = lengths.figures(weight: weight)
        figures.joinsPerMinuteAtMost = count.joinsPerMinuteAtMost * weight
        setCurve(count.viewers, weight)
        let rises = zip(figures.curve, figures.curve.dropFirst()).reduce(0) { $0 + max(0, $1.1.viewers - $1.0.viewers) }
        figures.churnPerMinute = count.churnPerMinute(besides: rises / weight)
        setPlayers(players, weight)
        let search = BreakSearch(
            asks: tally.asks,
            asksOnJoining: tally.asksOnJoining,
            viewers: count.viewers,
            firstSecond: Double(start) / 1000,
            hasWholeSeconds: hasWholeSeconds,
            weight: weight
        )
        (figures.breaks, figures.asksApart, figures.asksOnJoining) = search.found()
    }

    private mutating func setCurve(_ viewers: [Int32], _ weight: Int) {
        figures.peak = Int(viewers.max() ?? 0) * weight
        let reduction = CurveReduction(viewers)
        figures.curve = reduction.points.map { .init(at: $0.at, viewers: $0.viewers * weight) }
        figures.curveError = reduction.error * weight
        let step = max(10, (viewers.count / 10_000 + 9) / 10 * 10)
        figures.presence = stride(from: 0, to: viewers.count, by: step)
            .map { .init(at: $0, viewers: Int(viewers[$0]) * weight) }
    }

    private mutating func setPlayers(_ players: [(viewers: Int, watched: Double)], _ weight: Int) {
        let all = players.reduce(0) { $0 + $1.watched }
        figures.players = players.enumerated().filter { $1.viewers > 0 }
            .map { index, player in
                let isApart = index < AudienceTally.mostPlayers - 1
                let intervals = isApart ? tally.intervals[index] : PollIntervals()
                let polls = AudienceFigures.Percentile.all(of: [0.1, 0.5, 0.9], intervals.milliseconds)
                return AudienceFigures.Player(
                    name: tally.players.names[index],
                    group: PlayerNames.group(index),
                    viewers: player.viewers * weight,
                    share: all > 0 ? player.watched / all : 0,
                    pollMeanMilliseconds: intervals.meanMilliseconds,
                    pollMilliseconds: hasWholeSeconds ? [] : polls
                )
            }
            .sorted { ($0.share, $1.name) > ($1.share, $0.name) }
        figures.personas = AudiencePersona.all(of: figures.players, browserPlayer: browserPlayer)
    }
}
