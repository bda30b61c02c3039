import Values

struct RequestCounts {
    var requests = 0
    var kinds = InlineArray<5, Int>(repeating: 0)
    /// Before `--from` or after `--to`.
    var outside = 0
    /// Further from the first request than an event may last.
    var tooFar = 0
    /// No identifier of a viewer.
    var untold = 0
    var wholeSeconds = 0
    /// The programme's requests.
    var byMark = InlineArray<5, Int>(repeating: 0)

    func of(_ kinds: RequestKind...) -> Int { kinds.reduce(0) { $0 + self.kinds[$1.rawValue] } }
}

/// Accumulates requests in any order.
final class AudienceTally {
    /// Milliseconds from the first request, on either side.
    private static let farthest = Int64(AudienceLogOptions.longestDays) * 86_400_000
    /// A request for ads this soon is for a pre-roll.
    private static let joiningMilliseconds: Int64 = 3000
    /// Requests this close are for one break: without names, with two names, with the same name.
    private static let askMilliseconds: Int64 = 10_000
    private static let otherNameMilliseconds: Int64 = 2000
    private static let sameNameMilliseconds: Int64 = 60_000
    /// The last entry is for all others.
    static let mostPlayers = 64

    let gap: Int32
    let table: ViewerTable
    private(set) var counts = RequestCounts()
    private(set) var players = PlayerNames()
    private(set) var asks = AskTimes()
    private(set) var asksOnJoining = AskTimes()
    private(set) var intervals: [PollIntervals] = Array(repeating: PollIntervals(), count: mostPlayers)
    /// Zero of the reading's instants, in milliseconds since the Unix epoch.
    private(set) var zero: Int64?

    private let sorting: RequestSorting
    private let query: QueryReader
    private let tell: ViewerTell
    private let range: Range<Int64>

    init(_ options: AudienceLogOptions) {
        gap = Int32(clamping: min(options.gap, AudienceLogOptions.longestGap).millisecondsHeld)
        table = ViewerTable(most: options.mostViewers, gap: gap)
        sorting = RequestSorting(adPaths: options.adPaths, channelPaths: options.channelPaths)
        let refused = Set(options.notSessions.map { $0.lowercased() })
        let sessions = options.sessionParameters + QueryReader.usualSessions
        query = QueryReader(sessions: sessions.filter { !refused.contains($0.lowercased()) })
        let cookies = options.sessionCookies.map { Array($0.lowercased().utf8) }
        tell = ViewerTell(paths: options.sessionPaths, cookies: cookies)
        let from = options.from.map { $0.microseconds.flooredQuotient(by: 1000) } ?? .min
        range = from..<max(from, options.to.map { $0.microseconds.flooredQuotient(by: 1000) } ?? .max)
    }

    func take(_ request: LoggedRequest) {
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
        let place = tell.place(of: request)
        guard let viewer = tell.viewer(of: request, facts, place: place) else {
            counts.untold += 1
            return
        }
        if kind != .ads { counts.byMark[viewer.mark.rawValue] += 1 }
        let time = Int32(request.milliseconds - zero)
        table.update(viewer.hash) { update(&$0, viewer, place, request, kind, facts, time) }
        table.makeRoomForStays()
    }

    private func update(
        _ entry: inout ViewerEntry,
        _ viewer: ViewerKey,
        _ origin: UInt64,
        _ request: LoggedRequest,
        _ kind: RequestKind,
        _ facts: QueryFacts,
        _ time: Int32
    ) {
        let place = UInt16(truncatingIfNeeded: origin >> 40)
        if entry.traits.isDisjoint(with: [.watches, .asked]) {
            entry.mark = viewer.mark
            entry.place = place
            entry.player = players.player(of: request[.userAgent])
        } else if entry.place != place, entry.elsewhere < .max {
            entry.elsewhere += 1
        }
        guard kind != .ads else {
            ask(&entry, facts, time)
            return
        }
        watch(&entry, viewer.hash, time)
        if kind == .playlist { poll(&entry, tell.hash(of: request.path), time) }
    }

    private func watch(_ entry: inout ViewerEntry, _ viewer: UInt64, _ time: Int32) {
        entry.requests &+= 1
        guard !isNear(entry, time) else {
            extend(&entry, time)
            return
        }
        // If the request is near an earlier stay as well, `ViewerTable.joined` merges them in the end.
        if entry.traits.contains(.watches) { table.ended.append(.init(viewer: viewer, stay: entry.stay)) }
        entry.traits.insert(.watches)
        entry.stay = Stay(first: time, last: time)
    }

    private func isNear(_ entry: ViewerEntry, _ time: Int32) -> Bool {
        entry.traits.contains(.watches) && time >= entry.stay.first - gap && time <= entry.stay.last + gap
    }

    private func extend(_ entry: inout ViewerEntry, _ time: Int32) {
        entry.stay = Stay(first: min(entry.stay.first, time), last: max(entry.stay.last, time))
    }

    /// Follows the polled playlist with the smallest hash, because a viewer's first one is usually the unpolled multivariant
    /// one.
    private func poll(_ entry: inout ViewerEntry, _ hash: UInt64, _ time: Int32) {
        let path = UInt32(truncatingIfNeeded: hash >> 16)
        let short = UInt16(truncatingIfNeeded: hash)
        guard entry.traits.contains(.polled) else {
            entry.traits.insert(.polled)
            entry.firstPath = short
            entry.pollPath = path
            entry.lastPoll = time
            return
        }
        let interval = Int(time) - Int(entry.lastPoll)
        let isPause = abs(interval) >= PollIntervals.longestMilliseconds
        let isFollowed = entry.traits.contains(.followsPlaylist)
        if entry.firstPath == short { entry.traits.insert(.beganInMidst) }
        entry.traits.insert(.followsPlaylist)
        if path == entry.pollPath {
            guard interval >= 0 || isPause else { return }
            entry.lastPoll = time
            if !isPause { intervals[min(Int(entry.player), Self.mostPlayers - 1)].add(interval) }
        } else if path < entry.pollPath || isPause || !isFollowed {
            entry.pollPath = path
            entry.lastPoll = time
        }
    }

    private func ask(_ entry: inout ViewerEntry, _ facts: QueryFacts, _ time: Int32) {
        if isNear(entry, time) { extend(&entry, time) }
        let name = facts.breakName.isEmpty ? 0 : UInt32(truncatingIfNeeded: tell.hash(of: facts.breakName)) | 1
        let isFirst = isFirst(entry, name, time)
        entry.traits.insert(.asked)
        entry.lastAsk = time
        if name != 0 { entry.askName = name }
        guard isFirst else { return }
        let stayed = Int64(time) - Int64(entry.stay.first)
        if entry.traits.contains(.watches), (0...Self.joiningMilliseconds).contains(stayed) {
            asksOnJoining.add(time, weight: table.weight)
        } else {
            asks.add(time, weight: table.weight)
        }
    }

    private func isFirst(_ entry: ViewerEntry, _ name: UInt32, _ time: Int32) -> Bool {
        guard entry.traits.contains(.asked) else { return true }
        let quiet = abs(Int64(time) - Int64(entry.lastAsk))
        guard name != 0, entry.askName != 0 else { return quiet > Self.askMilliseconds }
        return quiet > (name == entry.askName ? Self.sameNameMilliseconds : Self.otherNameMilliseconds)
    }
}
