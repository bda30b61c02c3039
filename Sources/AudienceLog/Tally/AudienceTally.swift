import Time

/// What is counted while logs are read.
struct LineCounts {
    var requests = 0
    var kinds = [Int](repeating: 0, count: RequestKind.allCases.count)
    /// Outside of the time that was asked for.
    var outside = 0
    /// Longer before or after the first one than any event lasts.
    var tooFar = 0
    /// Requests of which nothing tells who made them.
    var untold = 0
    /// With a stamp of a whole second.
    var wholeSeconds = 0
    /// For the programme, by what told who made them.
    var byMark = [Int](repeating: 0, count: ViewerMark.allCases.count)
    /// Stays that were joined because their viewer had too many.
    var joinedStays = 0
}

/// Takes requests one by one, in any order, and keeps of them what an audience follows from.
final class AudienceTally {
    /// To both sides of the first request, in milliseconds.
    private static let farthest = Int64(AudienceLogOptions.longestDays) * 86_400_000
    /// A viewer that asks for ads so soon after it came asks for what is played before the programme.
    private static let joiningMilliseconds: Int64 = 3000
    /// One viewer's requests for one break.
    private static let askMilliseconds: Int64 = 10_000
    private static let sameAskMilliseconds: Int64 = 2000
    private static let sameNameMilliseconds: Int64 = 60_000
    private static let mostStaysOfOne = 64
    /// Intervals are kept of so many players.
    private static let mostPlayers = 64

    let gap: Int32
    let table: ViewerTable
    private(set) var counts = LineCounts()
    private(set) var players = PlayerNames()
    private(set) var asks = AskTimes()
    /// Of viewers that had just joined.
    private(set) var asksOnJoining = AskTimes()
    private(set) var intervals: [PollIntervals] = Array(repeating: PollIntervals(), count: mostPlayers)
    /// Milliseconds since the Unix epoch that instants count from.
    private(set) var zero: Int64?

    private let sorting: RequestSorting
    private let query: QueryReader
    private let tell: ViewerTell
    private let range: Range<Int64>

    init(_ options: AudienceLogOptions) {
        gap = Int32(clamping: min(options.gap, AudienceLogOptions.longestGap).millisecondsHeld)
        table = ViewerTable(mostPlaces: options.mostPlaces)
        sorting = RequestSorting(adPaths: options.adPaths, channelPaths: options.channelPaths)
        let refused = Set(options.notSessions.map { $0.lowercased() })
        let sessions = (options.sessionParameters + QueryReader.usualSessions).filter {
            !refused.contains($0.lowercased())
        }
        query = QueryReader(sessions: sessions)
        var tell = ViewerTell(salt: options.salt)
        tell.paths = options.sessionPaths
        tell.cookies = options.sessionCookies.map { Array($0.lowercased().utf8) }
        self.tell = tell
        let from = options.from.map { LogStamp.floorDivided($0.microseconds, 1000) } ?? .min
        let to = options.to.map { LogStamp.floorDivided($0.microseconds, 1000) } ?? .max
        range = from..<max(from, to)
    }

    /// Takes a request.
    ///
    /// - Parameters:
    ///   - request: It.
    ///   - file: The number of a file that is one viewer's; nil for a log of many.
    func take(_ request: LoggedRequest, file: UInt64? = nil) {
        counts.requests += 1
        guard range.contains(request.milliseconds) else {
            counts.outside += 1
            return
        }
        let zero = self.zero ?? request.milliseconds
        guard abs(request.milliseconds - zero) < Self.farthest else {
            counts.tooFar += 1
            return
        }
        var facts = query.facts(of: request.query)
        let kind = sorting.kind(of: request, &facts)
        counts.kinds[kind.rawValue] += 1
        guard kind == .playlist || kind == .segment || kind == .ads else { return }
        if request.milliseconds % 1000 == 0 { counts.wholeSeconds += 1 }
        self.zero = zero
        let from = tell.place(of: request)
        guard let key = tell.viewer(of: request, facts, place: from.hash, file: file) else {
            counts.untold += 1
            return
        }
        if kind != .ads { counts.byMark[key.mark.rawValue] += 1 }
        guard let place = table.place(of: key.hash) else { return }
        let time = Int32(request.milliseconds - zero)
        table.stays.isGrown = false
        update(&table.entries[place], key, from, request, kind, facts, time)
        if table.stays.isGrown { table.makeRoomForStays() }
    }

    private func update(
        _ entry: inout ViewerEntry,
        _ key: ViewerKey,
        _ from: RequestPlace,
        _ request: LoggedRequest,
        _ kind: RequestKind,
        _ facts: QueryFacts,
        _ time: Int32
    ) {
        let place = UInt16(truncatingIfNeeded: from.hash >> 40)
        if !entry.watches, !entry.hasAsked {
            entry.mark = key.mark
            entry.place = place
            entry.player = players.player(of: request.userAgent, hash: from.agentHash)
        } else if entry.place != place, entry.elsewhere < .max {
            entry.elsewhere += 1
        }
        guard kind != .ads else {
            ask(&entry, facts, time)
            return
        }
        watch(&entry, time)
        if kind == .playlist { poll(&entry, tell.hash(of: request.path), time) }
    }
}

// MARK: - Stays

extension AudienceTally {
    private func watch(_ entry: inout ViewerEntry, _ time: Int32) {
        entry.requests &+= 1
        guard entry.watches else {
            entry.watches = true
            entry.first = time
            entry.last = time
            return
        }
        guard isNear(entry, time) else {
            begin(&entry, time)
            return
        }
        extend(&entry, time)
    }

    private func isNear(_ entry: ViewerEntry, _ time: Int32) -> Bool {
        time >= entry.first - gap && time <= entry.last + gap
    }

    private func extend(_ entry: inout ViewerEntry, _ time: Int32) {
        guard time > entry.last || time < entry.first else { return }
        var stay = Stay(first: min(entry.first, time), last: max(entry.last, time))
        if entry.more != 0 { entry.more = table.stays.join(entry.more, into: &stay, gap: gap) }
        entry.first = stay.first
        entry.last = stay.last
    }

    /// Puts an instant into another stay than the latest that was found, or makes one of it.
    private func begin(_ entry: inout ViewerEntry, _ time: Int32) {
        guard table.stays.count(entry.more) < Self.mostStaysOfOne else {
            counts.joinedStays += 1
            entry.first = min(entry.first, time)
            entry.last = max(entry.last, time)
            return
        }
        var stay = Stay(first: time, last: time)
        if entry.more != 0 { entry.more = table.stays.join(entry.more, into: &stay, gap: gap) }
        // What it joined may reach to the latest one.
        let known = Stay(first: entry.first, last: entry.last)
        entry.more = table.stays.push(known, before: entry.more)
        entry.more = table.stays.join(entry.more, into: &stay, gap: gap)
        entry.first = stay.first
        entry.last = stay.last
    }
}

// MARK: - Polls and breaks

extension AudienceTally {
    /// Follows one of the playlists that a viewer polls: the one with the smallest hash, as long as it is polled.
    ///
    /// The first one that it asks for is not asked for again, as a rule: it leads to the others.
    private func poll(_ entry: inout ViewerEntry, _ hash: UInt64, _ time: Int32) {
        let path = UInt32(truncatingIfNeeded: hash >> 16)
        let short = UInt16(truncatingIfNeeded: hash)
        guard entry.hasPolled else {
            entry.hasPolled = true
            entry.firstPath = short
            entry.pollPath = path
            entry.lastPoll = time
            return
        }
        let interval = Int(time) - Int(entry.lastPoll)
        let isPause = abs(interval) >= PollIntervals.longestMilliseconds
        let isFollowed = entry.followsPlaylist
        if entry.firstPath == short { entry.beganInMidst = true }
        entry.followsPlaylist = true
        if path == entry.pollPath {
            guard interval >= 0 || isPause else { return }
            entry.lastPoll = time
            guard !isPause else { return }
            intervals[min(Int(entry.player), Self.mostPlayers - 1)].add(interval)
        } else if path < entry.pollPath || isPause || !isFollowed {
            entry.pollPath = path
            entry.lastPoll = time
        }
    }

    private func ask(_ entry: inout ViewerEntry, _ facts: QueryFacts, _ time: Int32) {
        if entry.watches, isNear(entry, time) { extend(&entry, time) }
        let name = facts.breakName.isEmpty ? 0 : UInt32(truncatingIfNeeded: tell.hash(of: facts.breakName)) | 1
        let isFirst = isFirst(entry, name, time)
        entry.hasAsked = true
        entry.lastAsk = time
        if name != 0 { entry.askName = name }
        guard isFirst else { return }
        if entry.watches, (0...Self.joiningMilliseconds).contains(Int64(time) - Int64(entry.first)) {
            asksOnJoining.add(time, weight: table.weight)
        } else {
            asks.add(time, weight: table.weight)
        }
    }

    /// Whether a viewer asks for a break for the first time.
    private func isFirst(_ entry: ViewerEntry, _ name: UInt32, _ time: Int32) -> Bool {
        guard entry.hasAsked else { return true }
        let quiet = abs(Int64(time) - Int64(entry.lastAsk))
        guard name != 0, entry.askName != 0 else { return quiet > Self.askMilliseconds }
        return name == entry.askName ? quiet > Self.sameNameMilliseconds : quiet > Self.sameAskMilliseconds
    }
}
