import Report
import Values

/// Stays, polls and asks of one viewer, from its requests in their order.
struct ViewerCourse {
    /// A request for ads this soon is for a pre-roll.
    private static let joiningMilliseconds = 3000
    /// Requests for ads this close are for one break: without names, with two names, with the same name.
    private static let askMilliseconds = 10_000
    private static let otherNameMilliseconds = 2000
    private static let sameNameMilliseconds = 60_000
    /// Longer intervals between polls are pauses.
    private static let longestPoll = 30_000

    private(set) var stays: [(first: Int, last: Int)] = []
    /// Requests for the programme.
    private(set) var watched = 0
    /// Milliseconds between two polls of one playlist.
    private(set) var polls: [UInt16] = []
    /// Once for each break.
    private(set) var asks: [Int] = []
    private(set) var asksOnJoining: [Int] = []
    /// Polled its first playlist again: it had joined before the log starts.
    private(set) var beganInMidst = false
    private var firstPath: UInt32?
    private var lastPolls: [UInt32: Int] = [:]
    private var lastAsk: (at: Int, name: UInt32?)?

    init(_ requests: ArraySlice<AudienceRequests.Request>, gap: Int) {
        for request in requests {
            let now = request.milliseconds
            if let last = stays.last, now - last.last <= gap {
                stays[stays.count - 1].last = now
            } else if request.kind != .ads {
                stays.append((now, now))
            }
            if request.kind == .ads { ask(request.name, now) } else { watched += 1 }
            if request.kind == .playlist, let path = request.name { poll(path, now) }
        }
    }

    private mutating func poll(_ path: UInt32, _ now: Int) {
        beganInMidst = beganInMidst || firstPath == path
        firstPath = firstPath ?? path
        guard let last = lastPolls.updateValue(now, forKey: path), now - last < Self.longestPoll else { return }
        polls.append(UInt16(now - last))
    }

    private mutating func ask(_ name: UInt32?, _ now: Int) {
        defer { lastAsk = (now, name ?? lastAsk?.name) }
        if let (at, last) = lastAsk {
            let named = name == last ? Self.sameNameMilliseconds : Self.otherNameMilliseconds
            guard now - at > (name == nil || last == nil ? Self.askMilliseconds : named) else { return }
        }
        if let stay = stays.last, now - stay.first <= Self.joiningMilliseconds {
            asksOnJoining.append(now)
        } else {
            asks.append(now)
        }
    }
}

/// Computes audience figures from the requests of a log.
struct AudienceReckoning {
    private struct Stay {
        let span: (first: Int, last: Int)
        let player: Int
        let isFirst: Bool
        let beganInMidst: Bool
    }

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

    private let requests: AudienceRequests
    private(set) var figures = AudienceFigures()
    private var stays: [Stay] = []
    private var asks: [Int] = []
    private var asksOnJoining: [Int] = []
    /// Sorted milliseconds by player.
    private var polls: [Int: [UInt16]] = [:]
    private var allPolls: [UInt16] = []
    /// Marks whose viewers use so many addresses that each mark is hardly one viewer's.
    private(set) var strangeMarks: [ViewerMark] = []
    private var start = 0
    private var end = 0
    /// Mean milliseconds between polls, the uncertainty of a stay's end; 0 without polls.
    private(set) var poll = 0.0
    private var hasWholeSeconds: Bool { figures.stamps == .second }
    /// Milliseconds of two polls: separates the start of the log from what follows.
    private var moment: Int { Int(2 * poll) }

    /// `requests` are sorted; fails if they have no audience.
    init(_ requests: AudienceRequests, _ options: AudienceLogOptions) throws(AudienceLogError) {
        self.requests = requests
        figures.read = requests.read
        for kind in RequestKind.allCases { figures.read.requests["\(kind)"] = requests.count(kind) }
        // Stamps of milliseconds are whole seconds by chance, one in a thousand.
        let hasSeconds = requests.wholeSeconds * 2 > requests.count(.playlist, .segment, .ads)
        figures.stamps = hasSeconds ? .second : .millisecond
        figures.gapSeconds = Int(options.gap.components.seconds)
        figures.sampledOneIn = requests.weight
        reckonMarks()
        followViewers()
        try reckonSpan()
        figures.underWayAtStart = beginsInMidst()
        let players = reckonPresence()
        setPlayers(players)
        figures.personas = AudiencePersona.all(of: figures.players, browserPlayer: options.browserPlayer)
        figures.notes = notes
        figures.players.removeAll { !AudiencePersona.mayBeNamed($0) }
    }

    private mutating func reckonMarks() {
        let total = Double(requests.marks.values.reduce(0, +))
        figures.toldBy = ViewerMark.allCases.compactMap { mark in
            guard let share = requests.marks[mark].map({ Double($0) / total }) else { return nil }
            let isRare = 1 - share > Self.mainShare && share < Self.leastShare
            return .init(mark: mark, share: share, leftOut: mark == .address && isRare)
        }
    }

    private mutating func followViewers() {
        let leftOut = Set(figures.toldBy.filter(\.leftOut).map(\.mark))
        var (watched, elsewhere): ([ViewerMark: Int], [ViewerMark: Int]) = ([:], [:])
        var rest = requests.all[...]
        while let first = rest.first, let viewer = requests.viewers[first.viewer] {
            let end = rest.firstIndex { $0.viewer != first.viewer } ?? rest.endIndex
            let course = ViewerCourse(rest[..<end], gap: figures.gapSeconds * 1000)
            rest = rest[end...]
            asks += course.asks
            asksOnJoining += course.asksOnJoining
            polls[Int(viewer.player), default: []] += course.polls
            guard course.watched > 0 else { continue }
            watched[viewer.mark, default: 0] += course.watched
            elsewhere[viewer.mark, default: 0] += viewer.elsewhere
            guard course.watched >= Self.fewestRequests, !leftOut.contains(viewer.mark) else { continue }
            let (player, beganInMidst) = (Int(viewer.player), course.beganInMidst)
            stays += course.stays.enumerated().map { index, span in
                Stay(span: span, player: player, isFirst: index == 0, beganInMidst: beganInMidst)
            }
        }
        strangeMarks = ViewerMark.allCases.filter {
            Double(elsewhere[$0] ?? 0) > Self.strangeShare * Double(watched[$0] ?? 0)
        }
        polls = polls.mapValues { $0.sorted() }
        allPolls = polls.values.flatMap(\.self).sorted()
        poll = allPolls.mean ?? 0
        asks.sort()
        asksOnJoining.sort()
    }

    private mutating func reckonSpan() throws(AudienceLogError) {
        guard let first = stays.map({ $0.span.first }).min(), let last = stays.map({ $0.span.last }).max(),
            let zero = requests.zero
        else { throw .nobodyWatches(whatItHolds) }
        (start, end) = (first, last)
        let days = (end - start) / 86_400_000
        guard days < AudienceLogOptions.longestDays else { throw .tooLong(days: days) }
        // With stamps of whole seconds, the last second counts to its end.
        figures.seconds = (end - start + 999) / 1000 + (hasWholeSeconds ? 1 : 0)
        figures.start = WallTime(microseconds: (zero + Int64(start)) * 1000)
    }

    private var whatItHolds: String {
        let read = figures.read
        guard read.lines > 0 else { return "the input is empty" }
        let (watched, ads) = (requests.count(.playlist, .segment), requests.count(.ads))
        let told =
            if watched > 0 {
                "what was read holds \(TextLayout.counted(watched, "request")) for playlists or segments, and no viewer that "
                    + "asks twice"
                    + (read.untold > 0
                        ? "; nothing tells who made \(read.untold) of the requests: --field names what does" : "")
            } else if ads > 0 {
                "what was read asks for ads \(TextLayout.counted(ads, "time")) and for no playlist or segment: who watches is "
                    + "in the channel's log"
            } else if read.outside > 0, requests.count(.other) == 0 {
                "what was read holds \(TextLayout.counted(read.outside, "request")), none of them between --from and --to"
            } else {
                "what was read holds no request for a playlist or a segment"
                    + (read.outside > 0 ? " between --from and --to" : "")
            }
        return told + (read.meaningless > 0 ? "; \(read.meaningless) of \(read.lines) lines mean nothing" : "")
    }

    /// Playlists are polled so fast that one mark must stand for several viewers.
    var hasHurriedPolls: Bool {
        // With whole seconds, only the mean of shorter intervals can be measured.
        guard !hasWholeSeconds else { return poll > 0 && poll < Self.shortestMeanPoll }
        let hurried = allPolls.partitioningIndex { $0 >= Self.hurriedMilliseconds }
        return Double(hurried) > Self.hurriedShare * Double(allPolls.count)
    }

    /// A surge of first viewers that begin with the playlist that they go on to poll.
    private func beginsInMidst() -> Bool {
        let early = stays.filter { $0.span.first - start < moment }
        let next = stays.count { (moment..<2 * moment).contains($0.span.first - start) }
        let midst = early.count { $0.isFirst && $0.beganInMidst }
        return early.count >= Self.fewestInSurge && early.count > Self.surge * next && midst * 2 > early.count
    }

    /// Returns viewers and milliseconds watched of each player.
    private mutating func reckonPresence() -> [(viewers: Int, watched: Double)] {
        let weight = requests.weight
        var (spans, underWay) = ([PresenceCount.Span](), 0)
        var lengths: [(seconds: Int, isCutOff: Bool)] = []
        var players = [(viewers: Int, watched: Double)](repeating: (0, 0), count: requests.players.names.count)
        // A viewer's end lies between its last request and the next poll.
        let half = Int(poll / 2)
        // Before the log's end, a viewer counts as still present.
        let patience = min(moment, allPolls.value(reaching: 0.99) ?? 0)
        // On average half a second later than a stamp of a whole second.
        let unseen = hasWholeSeconds ? 500 : 0
        for stay in stays {
            let isBefore = figures.underWayAtStart && stay.span.first - start < moment
            let isAfter = end - stay.span.last <= patience
            let first = isBefore ? start : stay.span.first + unseen
            let last = (isAfter ? end : stay.span.last + half) + unseen
            // An end after the last counted second means that the viewer stays.
            spans.append((first, isAfter ? end + 2000 : last, !isBefore))
            if isBefore { underWay += 1 } else { lengths.append((max(0, last - first) / 1000, isAfter)) }
            players[stay.player].viewers += stay.isFirst ? weight : 0
            players[stay.player].watched += Double(last - first) + 1
        }
        let count = PresenceCount(spans, start: start, seconds: figures.seconds)
        figures.stays = AudienceFigures.Stays(lengths, underWay: underWay, weight: weight)
        figures.joinsPerMinuteAtMost = count.joinsPerMinuteAtMost * weight
        figures.peak = (count.viewers.max() ?? 0) * weight
        let reduction = CurveReduction(count.viewers)
        figures.curve = reduction.points.map { .init(at: $0.at, viewers: $0.viewers * weight) }
        figures.curveError = reduction.error * weight
        let rises = zip(figures.curve, figures.curve.dropFirst()).reduce(0) { $0 + max(0, $1.1.viewers - $1.0.viewers) }
        figures.churnPerMinute = count.churnPerMinute(besides: rises / weight)
        let search = BreakSearch(
            asks: asks,
            asksOnJoining: asksOnJoining,
            viewers: count.viewers,
            start: start,
            hasWholeSeconds: hasWholeSeconds,
            weight: weight
        )
        (figures.breaks, figures.asksApart, figures.asksOnJoining) = search.found()
        return players
    }

    private mutating func setPlayers(_ players: [(viewers: Int, watched: Double)]) {
        figures.viewers = players.reduce(0) { $0 + $1.viewers }
        let all = players.reduce(0) { $0 + $1.watched }
        figures.players = players.enumerated().filter { $1.viewers > 0 }
            .map { index, player in
                let intervals = polls[index] ?? []
                return AudienceFigures.Player(
                    name: requests.players.names[index],
                    group: PlayerNames.group(index),
                    viewers: player.viewers,
                    share: all > 0 ? player.watched / all : 0,
                    pollMeanMilliseconds: intervals.mean,
                    pollMilliseconds: hasWholeSeconds ? [] : intervals.percentiles([0.1, 0.5, 0.9])
                )
            }
            .sorted { ($0.share, $1.name) > ($1.share, $0.name) }
    }
}

/// Sorted numbers.
extension [UInt16] {
    var mean: Double? { isEmpty ? nil : Double(reduce(0) { $0 + Int($1) }) / Double(count) }
}

extension RandomAccessCollection where Element: BinaryInteger, Index == Int {
    /// The first of sorted numbers with which a share of all is reached; nil without any.
    func value(reaching share: Double) -> Int? {
        isEmpty ? nil : Int(self[startIndex + Swift.max(1, Int((share * Double(count)).rounded(.up))) - 1])
    }

    func percentiles(_ shares: [Double]) -> [AudienceFigures.Percentile] {
        shares.compactMap { share in value(reaching: share).map { .init(share: share, value: Double($0)) } }
    }
}
