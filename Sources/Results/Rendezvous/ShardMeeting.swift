package import Values

/// State machine by which all shards begin together or not at all.
///
/// Every shard puts `hello-i`; the first, once it sees all of them, puts an instant (`start`). Each shard prepares and puts
/// `armed-i`. The first shard, once all are armed, or any that sees the time run out, puts the `start-decision`. All obey the
/// first decision put; a shard that dies after it is missing.
///
/// Reads no clock and never waits, so that tests can present any order of events.
package struct ShardMeeting {
    package struct Timing: Sendable {
        /// Limit for all shards to join.
        package var gathering: Duration
        /// From all shards having joined to the start.
        package var lead: Duration
        /// All shards must be armed this long before the start.
        package var margin: Duration

        package init(gathering: Duration, lead: Duration, margin: Duration) {
            (self.gathering, self.lead, self.margin) = (gathering, lead, margin)
        }
    }

    package enum Step: Equatable, Sendable {
        case wait
        /// Prepare, then call ``arm()``; returned once.
        case prepare(start: WallTime)
        case begin
        /// Send nothing; the text has the reason and a remedy.
        case refused(String)
    }

    private enum Phase: Equatable {
        case arriving
        case gathering
        case preparing(start: WallTime)
        case armed(start: WallTime, isTold: Bool)
        case over(Step)
    }

    private let own: ShardHello
    private let runID: String
    private let timing: Timing
    private let giveUpAt: WallTime
    private var phase = Phase.arriving
    private var rereading: Rereading

    package init(_ own: ShardHello, runID: String, timing: Timing, now: WallTime) {
        (self.own, self.runID, self.timing) = (own, runID, timing)
        giveUpAt = now + timing.gathering
        rereading = Rereading(index: own.index, of: own.count)
    }

    /// At most 80 letters, digits, `-`, `_` and `.`, the first not `.`.
    package static func isRunID(_ text: String) -> Bool {
        (1...80).contains(text.utf8.count) && text.first != "."
            && text.utf8.allSatisfy { $0.isNameByte || $0 == UInt8(ascii: ".") }
    }

    package mutating func arm() {
        if case .preparing(let start) = phase { phase = .armed(start: start, isTold: false) }
    }

    /// While the place does not answer, the shard waits as long as for other shards.
    package mutating func step(at now: WallTime, in place: some RendezvousPlace) async -> Step {
        if case .over(let step) = phase { return step }
        let step: Step
        do throws(RendezvousError) {
            step = try await advance(at: now, in: place)
        } catch {
            guard now >= deadline else { return .wait }
            step = .refused("the rendezvous does not answer: \(error); nothing is sent")
        }
        switch step {
        case .begin, .refused: phase = .over(step)
        case .wait, .prepare: break
        }
        return step
    }

    private var deadline: WallTime {
        switch phase {
        case .preparing(let start), .armed(let start, _): start
        case .arriving, .gathering, .over: giveUpAt
        }
    }

    private mutating func advance(
        at now: WallTime,
        in place: some RendezvousPlace
    ) async throws(RendezvousError) -> Step {
        switch phase {
        case .arriving:
            if try await !put(own, as: ShardNote.hello(own.index), in: place) {
                let there = try await place.contents(of: ShardNote.group)[ShardNote.hello(own.index)]
                return .refused(taken(by: ShardHello(placed: there)))
            }
            phase = .gathering
            return try await gather(at: now, in: place)
        case .gathering: return try await gather(at: now, in: place)
        case .preparing: return .wait
        case .armed(let start, let isTold):
            if !isTold, now < start - timing.margin {
                _ = try await put(own, as: ShardNote.armed(own.index), in: place)
                phase = .armed(start: start, isTold: true)
            }
            return try await decide(start, at: now, in: place)
        case .over(let step): return step
        }
    }

    private func put(
        _ note: some PlacedNote,
        as name: String,
        in place: some RendezvousPlace
    ) async throws(RendezvousError) -> Bool {
        try await place.put(note.placed(), in: ShardNote.group, as: name)
    }

    private func taken(by other: ShardHello?) -> String {
        let who = other.map { " (\($0.host), process \($0.process))" } ?? ""
        return "\(shard(own.index)) of run '\(runID)' was started before\(who): a run id is good for one run, and each "
            + "index for one shard of it; take another --run-id"
    }

    private mutating func gather(
        at now: WallTime,
        in place: some RendezvousPlace
    ) async throws(RendezvousError) -> Step {
        let isWhole = rereading.isDue(at: now) || now >= giveUpAt
        let contents = try await place.contents(of: ShardNote.group, after: isWhole ? nil : ShardNote.beforeStart)
        let hellos = (0..<own.count).map { ShardHello(placed: contents[ShardNote.hello($0)]) }
        if let mistake = hellos.compactMap({ $0.flatMap(difference) }).first { return .refused(mistake) }
        if let start = ShardStart(placed: contents[ShardNote.start]) {
            let start = WallTime(microseconds: start.startMicroseconds)
            phase = .preparing(start: start)
            rereading = Rereading(index: own.index, of: own.count)
            return .prepare(start: start)
        }
        guard isWhole else { return .wait }
        let missing = hellos.indices.filter { hellos[$0] == nil }
        if missing.isEmpty, own.index == 0 {
            let start = ShardStart(startMicroseconds: (now + timing.lead).microseconds)
            _ = try await put(start, as: ShardNote.start, in: place)
            return .wait
        }
        guard now >= giveUpAt else { return .wait }
        let who = missing.isEmpty ? "\(shard(0)) named no start" : "\(shards(missing)) did not come"
        let time = timing.gathering.components.seconds
        return .refused("\(who) within \(time) s: run not started; look at the logs, and start all again")
    }

    private func difference(_ other: ShardHello) -> String? {
        let pairs = [
            ("count", "\(own.count)", "\(other.count)"), ("plan", own.profileDigest, other.profileDigest),
            ("version of podswarm", own.podswarmVersion, other.podswarmVersion),
        ]
        guard let pair = pairs.first(where: { $0.1 != $0.2 }) else { return nil }
        return "\(shard(other.index)) of run '\(runID)' (\(other.host)) has another \(pair.0): \(pair.2), and here "
            + "\(pair.1); all shards take the same profile, options and version"
    }

    private mutating func decide(
        _ start: WallTime,
        at now: WallTime,
        in place: some RendezvousPlace
    ) async throws(RendezvousError) -> Step {
        let told = try await place.contents(of: ShardNote.group, after: ShardNote.beforeStart)
        guard let decision = ShardDecision(placed: told[ShardNote.decision]) else {
            let isLast = now >= start - timing.margin
            if isLast || (own.index == 0 && rereading.isDue(at: now)) {
                let contents = try await place.contents(of: ShardNote.group)
                let missing = (0..<own.count).filter { contents[ShardNote.armed($0)] == nil }
                // The first decision put counts for all.
                if missing.isEmpty || isLast {
                    _ = try await put(ShardDecision(missing: missing), as: ShardNote.decision, in: place)
                }
            }
            return now < start ? .wait : .refused("run not started: the decision whether all are ready came too late")
        }
        guard decision.missing.isEmpty else {
            let who = shards(decision.missing)
            let time = timing.margin.components.seconds
            return .refused("\(who) not ready \(time) s before the start: run not started; start all again")
        }
        return now < start ? .begin : .refused("the start is over: this shard sends nothing, and the others miss it")
    }

    private func shard(_ index: Int) -> String { "shard \(index) of \(own.count)" }

    private func shards(_ indices: [Int]) -> String {
        guard indices.count != 1 else { return shard(indices[0]) }
        return "shards \(indices.map(String.init).joined(separator: ", ")) of \(own.count)"
    }
}

/// Reading all notes is half a megabyte with a thousand shards, and only the first must see all others.
struct Rereading: Equatable {
    private static let shortest = Duration.milliseconds(200)
    private static let longestOfFirst = Duration.seconds(1)
    private static let ofEachShard = Duration.milliseconds(20)

    private let longest: Duration
    private var pause = Self.shortest
    private var dueAt: WallTime?

    init(index: Int, of count: Int) {
        longest = index == 0 ? Self.longestOfFirst : max(Self.longestOfFirst, Self.ofEachShard * count)
    }

    /// Doubles the next interval if it is due.
    mutating func isDue(at now: WallTime) -> Bool {
        guard dueAt.map({ now >= $0 }) ?? true else { return false }
        dueAt = now + pause
        pause = min(pause * 2, longest)
        return true
    }
}
