import TestSupport
import Testing

/// Players that were not written here, held against the persona of the same name and against the rule of RFC 8216.
///
/// Times are those of nginx before the channel. A wait counts where a timer in the player's page came in time meanwhile, and a
/// median is judged: on a machine that is too busy for that nothing is said.
///
/// Over sockets, because the players are programs of others.
@Suite(.serialized, .fewWaiting) struct MeasuredPlayerTests {
    /// Of the origin's channel as these tests have it.
    private static let segmentSeconds = 2.0
    private static let pollTolerance = 0.05
    private static let listTolerance = 0.2

    // MARK: Reloads

    /// What a player's median waits were; nil where the machine let none be seen.
    private struct Cadence {
        var changed, unchanged: Double?
    }

    /// Whether each player has polled so often in a stretch, counting only waits that can be judged.
    private func wait(
        for count: Int,
        of players: [WatchingPlayer],
        on channel: ObservedChannel,
        in stretch: Range<Double>,
        passingOver first: Int = 0
    ) async throws -> Bool {
        try await Patience.sees {
            players.allSatisfy { channel.waits(of: $0, in: stretch, passingOver: first).count >= count }
        }
    }

    private func cadences(of players: [WatchingPlayer]) async throws -> [WatchingPlayer: Cadence] {
        try await ObservedChannel.serving { channel in
            try await channel.watched(by: players) { _ in
                var isSeen = try await wait(for: 4, of: players, on: channel, in: 0..<Double.infinity)
                let frozen = Double.now
                try channel.suffer(.frozen)
                // The first poll may still find news, and the wait after it is then that after a change.
                let rest = frozen..<Double.infinity
                isSeen = try await wait(for: 3, of: players, on: channel, in: rest, passingOver: 1) && isSeen
                guard isSeen else { return [:] }
                return Dictionary(
                    uniqueKeysWithValues: players.map { player in
                        let changed = channel.waits(of: player, in: 0..<frozen)
                        let unchanged = channel.waits(of: player, in: rest, passingOver: 1)
                        return (player, Cadence(changed: changed.median, unchanged: unchanged.median))
                    }
                )
            }
        }
    }

    /// What is wrong with the waits that were seen, in words.
    private static func faults(of seen: [WatchingPlayer: Cadence]) -> [String] {
        let target = segmentSeconds
        let exact = -pollTolerance...pollTolerance
        var rules: [(player: WatchingPlayer, changed: ClosedRange<Double>, unchanged: ClosedRange<Double>)] = [
            // It looks ten times a second whether it is time, and only when it has read what it had.
            (.ffmpeg, target - 0.01...target + 0.2, target / 2 - 0.01...target / 2 + 0.2),
            // It does not wait half as long where nothing is new.
            (.vlc, target - 0.01...target + 0.25, target - 0.01...target + 0.25),
        ]
        // From the load's start (RFC 8216 section 6.3.4), or from its end: of one millisecond that is the same.
        for player in [WatchingPlayer.persona, .hlsjs, .gstreamer] {
            rules.append((player, exact + target, exact + target / 2))
        }
        if let hlsjs = seen[.hlsjs], let changed = hlsjs.changed, let unchanged = hlsjs.unchanged {
            rules.append((.persona, exact + changed, exact + unchanged))
        }
        return rules.flatMap { rule -> [String] in
            guard let own = seen[rule.player], let changed = own.changed, let unchanged = own.unchanged else {
                return ["\(rule.player): no waits"]
            }
            return [
                rule.changed.contains(changed) ? nil : "\(rule.player) after a change: \(changed)",
                rule.unchanged.contains(unchanged) ? nil : "\(rule.player) without one: \(unchanged)",
            ].compactMap(\.self)
        }
    }

    @Test func playersReloadAsTheirRuleSays() async throws {
        try await expectNoFaults {
            let seen = try await cadences(of: WatchingPlayer.allCases)
            return seen.isEmpty ? nil : Self.faults(of: seen)
        }
    }

    /// Expects that one of three looks finds nothing wrong.
    ///
    /// A busy machine may spoil one and another, but a rule that is broken is broken in each. A look is nil where the machine was too
    /// busy for times, and is no quieter a moment later.
    private func expectNoFaults(_ look: () async throws -> [String]?) async throws {
        var faults: [String]? = []
        for _ in 0..<3 {
            faults = try await look()
            if faults?.isEmpty ?? true { break }
        }
        guard let faults else { return StarvedMachine.isTooBusy(for: "a player's times") }
        #expect(faults == [])
    }

    // MARK: Outages

    /// A playlist that fails is asked for again after one and after two seconds; then hls.js gives up for good.
    ///
    /// Several looks judge both what is asked for and when: a player may lose its way where the machine is busy.
    @Test(arguments: [ObservedChannel.Trouble.failing, .silent])
    func aPlaylistThatFailsIsAskedForAgainAsByThePersona(trouble: ObservedChannel.Trouble) async throws {
        try await expectNoFaults { try await outage(by: trouble) }
    }

    /// Watches until all have given up: what is wrong with that in words; nil where the machine was too busy for times.
    private func outage(by trouble: ObservedChannel.Trouble) async throws -> [String]? {
        try await ObservedChannel.serving { channel in
            try await channel.watched(by: [.hlsjs, .persona, .gstreamer, .ffmpeg]) { running in
                let isUp = try await Patience.sees {
                    running.keys.allSatisfy { channel.requests(of: $0).polls.count > 2 }
                }
                guard isUp else { return ["not all play: \(running.keys.map { channel.requests(of: $0) })"] }
                let began = Double.now
                try channel.suffer(trouble)
                func failed(_ player: WatchingPlayer) -> [Double] {
                    channel.requests(of: player).polls.filter { $0.began > began && $0.status != 200 }.map(\.began)
                }
                // GStreamer's four take twice as long as what hls.js waits before it gives up.
                let isOver = try await Patience.sees {
                    failed(.hlsjs).count >= 3 && failed(.persona).count >= 3
                        && [.ffmpeg, .gstreamer].allSatisfy { running[$0]?.isRunning == false }
                }
                if !isOver || failed(.hlsjs).count != 3 || failed(.gstreamer).count != 4 || failed(.ffmpeg).isEmpty {
                    return running.map { "\($0) \($1.isRunning ? "runs" : "ended"):\n\(channel.requests(of: $0))" }
                }
                let isCalm = channel.starvedStretches(by: .milliseconds(20)).allSatisfy { $0.upperBound < began }
                guard isCalm else { return nil }
                let hlsjs = Self.waits(failed(.hlsjs))
                let (persona, gstreamer) = (Self.waits(failed(.persona)), Self.waits(failed(.gstreamer)))
                // A request that comes late makes one wait longer and the next shorter: of GStreamer's three the middle one is
                // judged. ffmpeg does not wait at all.
                let isAsSaid =
                    zip(hlsjs, persona).allSatisfy { abs($0 - $1) <= Self.pollTolerance }
                    && gstreamer.median.map { abs($0 - Self.segmentSeconds) <= Self.pollTolerance } ?? false
                    && Self.waits(failed(.ffmpeg)).reduce(0, +) < 1
                return isAsSaid ? [] : ["hls.js \(hlsjs), persona \(persona), GStreamer \(gstreamer)"]
            }
        }
    }

    private static func waits(_ times: [Double]) -> [Double] { zip(times, times.dropFirst()).map { $1 - $0 } }

    // MARK: Interstitials

    /// What was asked for of interstitials, in order, and when.
    private struct Break {
        let requests: ObservedRequests
        let kinds: [ObservedRequest.Kind] = [.assetList, .asset, .assetPlaylist]

        var asked: [ObservedRequest] { requests.all.filter { kinds.contains($0.kind) } }

        /// Whether a request is of one of the interstitials that begin at the same date.
        static func isOf(_ number: Int, _ request: ObservedRequest) -> Bool {
            request.path.split(separator: "/").dropFirst().first?.hasSuffix("-\(number)") ?? false
        }

        func names(of number: Int) -> [String] { asked.filter { Self.isOf(number, $0) }.map(\.path) }

        func list(of number: Int) -> ObservedRequest? { asked.first { $0.kind == .assetList && Self.isOf(number, $0) } }

        func asset(_ asset: Int, of number: Int) -> ObservedRequest? {
            asked.first { $0.kind == .asset && Self.isOf(number, $0) && $0.path.contains("/\(asset)/") }
        }

        /// Segments of the channel that were listed after the first list was asked for and before a request.
        func segments(until request: ObservedRequest?) -> Int? {
            let settling = MeasuredPlayerTests.listTolerance
            guard let request, let list = asked.first, let last = requests.edge(at: request.began + settling),
                let first = requests.edge(at: list.began + settling)
            else { return nil }
            return last - first
        }
    }

    /// What two players asked for of interstitials that begin at one date.
    private struct Breaks {
        let hlsjs, persona: Break
        /// Whether everything came in time, and a player's timers did.
        let isTelling: Bool

        var isAsSaid: Bool { isTelling && faults.isEmpty }

        /// What is wrong with when it was asked for, in words.
        var faults: [String] {
            guard let first = hlsjs.asked.first, let second = persona.list(of: 0) else { return ["no list"] }
            let settling = MeasuredPlayerTests.listTolerance
            func expect(_ isSo: Bool, _ what: String) -> String? { isSo ? nil : what }
            return [
                expect(hlsjs.requests.delay(of: first) ?? .infinity <= settling, "hls.js: the list waits for the poll"),
                expect(persona.requests.delay(of: second) ?? .infinity <= settling, "the list waits for the poll"),
                // The list is asked for in the same poll: when the break is less than 10 s past the edge.
                expect(
                    hlsjs.requests.edge(at: first.began + settling)
                        == persona.requests.edge(at: second.began + settling),
                    "lists in polls of different edges"
                ),
                // hls.js asks for the first asset one poll after the list, and for what follows when the programme is buffered
                // to the break, which is four segments of two seconds on. The persona asks for all of that with the list: not
                // modelled.
                expect(hlsjs.segments(until: hlsjs.list(of: 0)) == 0, "hls.js: the first list"),
                expect(hlsjs.segments(until: hlsjs.asset(0, of: 0)) == 1, "hls.js: the first asset"),
                expect(hlsjs.segments(until: hlsjs.asset(1, of: 0)) == 4, "hls.js: the second asset"),
                expect(hlsjs.segments(until: hlsjs.list(of: 1)) == 4, "hls.js: the second list"),
                expect(persona.asked.allSatisfy { persona.segments(until: $0) == 0 }, "the persona"),
            ].compactMap(\.self)
        }
    }

    /// Two interstitials of two assets each at one date, so many seconds from now, that all join before it is in sight.
    private func breaksToCome(in lead: Duration) async throws -> Breaks {
        let ahead = Int(lead / .seconds(1))
        // Segments begin at even seconds.
        let start = (Int(Double.now) + ahead) / 2 * 2
        let plan = """
            interstitials:
              - {id: "break-{start}-{i}", every: 24h, offset: \(start % 86_400)s, together: 2, assets: 2, assetDuration: 2s,
                 contentMayVary: false, announce: 16s}
            """
        return try await ObservedChannel.serving(plan: plan) { channel in
            try await channel.watched(by: [.hlsjs, .persona]) { _ in
                let players = [WatchingPlayer.hlsjs, .persona]
                let isOver = try await Patience.sees {
                    players.allSatisfy { player in
                        channel.requests(of: player).of(.assetList).contains { Break.isOf(1, $0) }
                    } || Double.now > Double(start) + 30
                }
                let both = players.map { Break(requests: channel.requests(of: $0)) }
                // Whoever joins when the break is less than 10 s past the edge asks for its list at once.
                let isInTime = both.allSatisfy { ($0.requests.polls.first?.began ?? .infinity) < Double(start) - 14 }
                let starved = channel.starvedStretches(by: .milliseconds(100))
                let isCalm = starved.allSatisfy { $0.upperBound < Double(start) - 14 }
                return Breaks(hlsjs: both[0], persona: both[1], isTelling: isOver && isInTime && isCalm)
            }
        }
    }

    @Test func interstitialsAreAskedForAsByThePersona() async throws {
        var looks: [Breaks] = []
        // A player that needs longer to come up joins in time for a break that is further away.
        for lead in [24, 48, 96] where !(looks.last?.isAsSaid ?? false) {
            looks.append(try await breaksToCome(in: .seconds(lead)))
        }
        let isJudged = looks.last?.isAsSaid ?? false || looks.allSatisfy(\.isTelling)
        guard isJudged, let seen = looks.last else { return StarvedMachine.isTooBusy(for: "a player's times") }
        let (hlsjs, persona) = (seen.hlsjs, seen.persona)
        #expect(seen.faults == [], "\(hlsjs.requests)\n\(persona.requests)")
        // The persona asks for both lists at one instant, and which of two connections is first is nobody's.
        let lists = (try #require(hlsjs.asked.first), try #require(persona.list(of: 0)))
        #expect(lists.0.path == lists.1.path)
        #expect(lists.0.parameters.map(\.name) == ["_HLS_interstitial_id", "_HLS_primary_id"])
        #expect(lists.0.parameters.map(\.name) == lists.1.parameters.map(\.name))
        // Of one interstitial the order is the same.
        #expect(hlsjs.names(of: 0) == persona.names(of: 0))
    }

    /// Requests of players for a pre-roll that waited for something; nil where the machine was too busy for times.
    private func latePreRolls() async throws -> [String]? {
        let plan = "interstitials: [{id: first, cue: [pre, once], assetDuration: 4s, contentMayVary: false}]"
        let players = [WatchingPlayer.hlsjs, .persona]
        return try await ObservedChannel.serving(plan: plan) { channel in
            try await channel.watched(by: players) { _ in
                let isOver = try await Patience.sees {
                    players.allSatisfy { player in
                        channel.requests(of: player).of(.assetMedia).count >= 3
                            && channel.requests(of: player).polls.count >= 2
                    }
                }
                #expect(isOver)
                let isCalm = channel.starvedStretches(by: .milliseconds(100)).isEmpty
                let late = try players.filter { player in
                    let own = channel.requests(of: player)
                    let asked = own.of(.multivariant, .assetList, .asset, .assetPlaylist)
                    #expect(asked.map(\.kind) == [.multivariant, .assetList, .asset, .assetPlaylist], "\(own)")
                    let first = try #require(own.polls.first)
                    let list = try #require(own.of(.assetList).first)
                    let playlist = try #require(own.of(.assetPlaylist).first)
                    #expect(first.began < list.began)
                    #expect(list.parameter("_HLS_start_offset") == nil)
                    let waits = [list.began - first.began, playlist.began - list.began]
                    return waits.contains { $0 > Self.listTolerance }
                }
                return isCalm ? late.map { "\($0): \(channel.requests(of: $0))" } : nil
            }
        }
    }

    @Test func aPreRollIsAskedForAsByThePersona() async throws { try await expectNoFaults { try await latePreRolls() } }

    // MARK: Low latency

    /// Complaints about polls for parts, in words; nil where the machine let none be seen.
    private func faultsOfParts(of players: [WatchingPlayer]) async throws -> [String]? {
        let plan = """
            lowLatency: {partDuration: 500ms, blocking: true, deltaUpdates: v2, preloadHints: true, renditionReports: true}
            """
        let options = ["--set", "target.embedded.segmentDuration=4s", "--set", "target.embedded.windowSegments=12"]
        return try await ObservedChannel.serving(options, plan: plan) { channel in
            try await channel.watched(by: players) { _ in
                // The first few make up for what the answers before were late.
                let isSeen = try await wait(for: 8, of: players, on: channel, in: 0..<Double.infinity, passingOver: 3)
                var faults: [String] = []
                var medians: [Double] = []
                for player in players {
                    let own = channel.requests(of: player)
                    let held = own.polls.filter { !$0.query.isEmpty }
                    #expect(own.polls.count - held.count == 1, "only the first is without directives: \(own)")
                    for poll in held {
                        #expect(poll.parameters.map(\.name) == ["_HLS_msn", "_HLS_part", "_HLS_skip"])
                        #expect(poll.parameter("_HLS_skip") == "v2")
                    }
                    let asked = held.compactMap(Self.part)
                    #expect(zip(asked, asked.dropFirst()).allSatisfy { $0 < $1 }, "no part twice: \(own)")
                    // A player that is a part late gets two at once, and asks for the one after both.
                    let isPartByPart = zip(asked, asked.dropFirst()).allSatisfy { $1 == $0 + 1 }
                    if !isPartByPart { faults.append("\(player): \(asked)") }
                    // Nobody asks for a part that is only hinted at.
                    for part in own.of(.segment) where part.numbers.count == 2 {
                        let number = part.numbers[0] * Self.partsOfSegment + part.numbers[1]
                        let listed = held.last { Self.part($0).map { $0 <= number } ?? false }
                        if let listed { #expect(part.began >= listed.ended - 0.01, "\(part.path): \(own)") }
                    }
                    medians.append(channel.waits(of: player, in: 0..<Double.infinity, passingOver: 3).median ?? 0)
                }
                let areAlike = zip(medians, medians.dropFirst()).allSatisfy { abs($0 - $1) <= Self.pollTolerance }
                return isSeen ? faults + (areAlike ? [] : ["medians: \(medians)"]) : nil
            }
        }
    }

    @Test func partsAreAskedForAsByThePersona() async throws {
        try await expectNoFaults { try await faultsOfParts(of: [.hlsjs, .persona]) }
    }

    private static let partsOfSegment = 8

    /// The part that a request waits for, counted through all segments.
    private static func part(_ request: ObservedRequest) -> Int? {
        guard let segment = request.parameter("_HLS_msn").flatMap({ Int($0) }),
            let part = request.parameter("_HLS_part").flatMap({ Int($0) })
        else { return nil }
        return segment * partsOfSegment + part
    }
}

extension ClosedRange<Double> {
    fileprivate static func + (range: Self, offset: Double) -> Self {
        range.lowerBound + offset...range.upperBound + offset
    }
}
