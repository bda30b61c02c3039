import AdServing
import Foundation
import HLS
package import Report
import Rules
import Swarm
import Transport
import Values

package actor LintRun {
    /// Makes loads, and those that they return, at their deadlines.
    typealias Clock = @Sendable (_ loads: [TimedLoad], _ duration: Duration) async -> Void

    private let options: LintOptions
    private let reader: StreamReader
    private let clock: Clock
    private var isInterrupted = false
    private var following: Task<Void, Never>?
    private let interruption = AsyncStream<Void>.makeStream()
    /// For open requests after an interruption.
    private static let patience = Duration.seconds(1)
    /// Playlists are reloaded while asset lists are read.
    private var readings: [Task<Void, Never>] = []
    private let primaryID = UUID().uuidString

    /// A multivariant playlist may name any number.
    private static let playlistLimit = 64

    /// Each list may be an ad decision.
    private static let listLimit = 64

    private var playlists: [FollowedPlaylist] = []
    private var ledger = LintLedger()
    private var notes: [String] = []
    private var hasReadClock = false
    /// Nil without a multivariant playlist.
    private var exported: [String: String]?
    /// ID, and address without its query and signatures.
    private var lists: Set<[String]> = []
    /// The channel's first variant.
    private var reference: Int?
    /// `isFound` if another finding says the same.
    private var unreached: [Int: (problem: String, isFound: Bool)] = [:]

    /// Reads nothing; fails for a URL or a file of authorities that cannot be used.
    package init(_ options: LintOptions) async throws(StreamFailure) {
        try await self.init(options, Self.reader(options), TimedLoad.follow)
    }

    init(_ options: LintOptions, _ reader: StreamReader, _ clock: @escaping Clock) {
        (self.options, self.reader, self.clock) = (options, reader, clock)
    }

    private static func reader(_ options: LintOptions) async throws(StreamFailure) -> StreamReader {
        guard !options.isLocal else { return StreamReader() }
        let url = options.place
        guard let host = URLComponents(string: url)?.host, !host.isEmpty else {
            throw .unusable("\(Redaction.url(url, own: nil)) is not a URL")
        }
        let hosts = [host] + AuthorisedHosts.machine(of: url) + options.access.hosts
        let asked = AuthorisedHosts(hosts, of: [url])
        return try await StreamReader(options.access, asking: asked, largestBody: StreamReader.largestFile)
    }

    /// From any thread; findings up to then count.
    package nonisolated func interrupt() { interruption.continuation.finish() }

    /// Fails only if the first playlist cannot be read.
    package func document() async throws(StreamFailure) -> LintDocument {
        let start = MonotonicClock.wallMicroseconds()
        let (ends, end) = AsyncStream<StreamFailure?>.makeStream()
        Task { end.yield(await self.read()) }
        let limit = Task { [stream = interruption.stream] in
            for await _ in stream {}
            isInterrupted = true
            following?.cancel()
            try? await Task.sleep(for: Self.patience)
            end.yield(nil)
        }
        defer { limit.cancel() }
        if let failure = await ends.first(where: { _ in true }) ?? nil, !isInterrupted { throw failure }
        recordUnreached()
        return LintDocument(
            source: shown(source),
            startedAtMicroseconds: start,
            endedAtMicroseconds: MonotonicClock.wallMicroseconds(),
            failsFrom: options.failsFrom,
            wasInterrupted: isInterrupted,
            playlists: playlists.map(\.summary),
            findings: ledger.findings(allowed: options.allowed),
            notes: notes
        )
    }

    private func read() async -> StreamFailure? {
        var failure: StreamFailure?
        do throws(StreamFailure) {
            let loads = try await readAll()
            if let follow = options.follow { await self.follow(loads, for: follow) }
            for reading in readings { await reading.value }
        } catch {
            failure = error
        }
        await reader.shutDown()
        return failure
    }

    private var isFollowed: Bool { options.follow != nil }
    private var isLocal: Bool { options.isLocal }
    private var source: String { options.place }

    private func shown(_ place: String) -> String { isLocal ? place : Redaction.url(place, own: nil) }

    /// Returns the loads of what may change.
    private func readAll() async throws(StreamFailure) -> [TimedLoad] {
        guard let number = add(source) else { return [] }
        let reading = await reader.read(source, isFirst: true)
        record(reading.violations, of: number)
        let body: [UInt8]?
        switch reading.body {
        case .success(let read): body = read
        case .failure(let reason):
            // Findings in the answer say more than the failure to read it.
            guard !reading.violations.isEmpty else { throw failure(reason) }
            _ = miss(reason, of: number)
            return []
        }
        let (playlist, delay) = take(body, of: reading, number)
        guard case .multivariant(let multivariant)? = playlist else {
            return [reload(number, after: delay, from: reading.askedAt)].compactMap(\.self)
        }
        let steering = await readSteering(of: multivariant, at: reading.url)
        var numbers: [Int] = []
        var missing = 0
        for (reference, role) in Self.references(of: multivariant) {
            guard let place = reader.place(of: reference, in: reading.url) else {
                missing += 1
                continue
            }
            if let number = add(place, isNamed: true, role: role) { numbers.append(number) }
        }
        if missing > 0 { note("\(missing) of the playlists that it names cannot be read from here; a URL reads all.") }
        let media = await readEach(numbers)
        return media.isEmpty ? [] : media + [steering].compactMap(\.self)
    }

    /// Bits per second; hls.js before its first measurement (src/config.ts, `abrEwmaDefaultEstimate`).
    private static let firstThroughput = 500_000

    private struct Steering: Sendable {
        var place: String
        let pathways: [String]
        let pathway: String?
        var timeToLive = SteeringManifest.defaultTimeToLive
    }

    /// As a player that joins; a manifest in the playlist itself is checked with it.
    private func readSteering(of channel: MultivariantPlaylist, at base: String) async -> TimedLoad? {
        guard let server = channel.contentSteering, !DataURI.isOne(server.serverURI) else { return nil }
        guard let place = reader.place(of: server.serverURI, in: base) else {
            note("The steering manifest that it names cannot be read from here; a URL reads all.")
            return nil
        }
        let pathway = server.pathwayID ?? channel.pathways.first
        return await load(Steering(place: place, pathways: channel.pathways, pathway: pathway))
    }

    /// A player loads it again after its TTL, or never after 410 (bis-22 section 7.1).
    private func load(_ steering: Steering) async -> TimedLoad? {
        let (place, speed) = (steering.place, Self.firstThroughput)
        let url = ContentSteering.requestURL(place, base: place, pathway: steering.pathway, throughput: speed)
        let reading = await reader.read(isLocal ? place : url)
        record(reading.violations, at: shown(place))
        var next = steering
        switch reading.body {
        case .success(let body):
            let body = body ?? []
            let found = body.withUnsafeBytes { SteeringChecks.violations(in: $0, pathways: steering.pathways) }
            record(found, at: shown(place))
            if let manifest = try? body.withUnsafeBytes({ try SteeringManifest.parse($0) }) {
                next.timeToLive = max(.seconds(1), manifest.timeToLive)
                next.place = manifest.reloadURI.flatMap { reader.place(of: $0, in: reading.url) } ?? place
            }
        case .failure(.refused(let answer)) where answer.failure == nil && answer.status == 410: return nil
        case .failure(let reason): missSteering(reason, at: shown(place))
        }
        return TimedLoad(deadline: reading.askedAt.later(by: next.timeToLive)) { [next] in await self.load(next) }
    }

    /// Reads the first variant first: the others are compared with it.
    private func readEach(_ numbers: [Int]) async -> [TimedLoad] {
        guard let first = numbers.first else { return [] }
        let reference = await load(first)
        return await withTaskGroup(of: TimedLoad?.self) { group in
            for number in numbers.dropFirst() { group.addTask { await self.load(number) } }
            var loads = [reference].compactMap(\.self)
            for await live in group { if let live { loads.append(live) } }
            return loads
        }
    }

    /// Nil for a playlist that never changes.
    private func load(_ number: Int) async -> TimedLoad? {
        // As players do: blocking if the server offers that (bis-22 section 6.2.5.2).
        let url = isFollowed ? playlists[number].nextURL : playlists[number].place
        let reading = await reader.read(url, unless: playlists[number].entityTag)
        record(reading.violations, of: number)
        let delay: Duration?
        switch reading.body {
        case .success(let body):
            let known = playlists[number].newest
            delay = take(body, of: reading, number).delay
            if isFollowed, let known { await readDelta(after: known, of: number) }
        case .failure(let reason): delay = await miss(reason, of: number, movedTo: successor(of: number))
        }
        return reload(number, after: delay, from: reading.askedAt)
    }

    /// Asks for the update that a player with `known` asks for, and compares what comes of it with the whole playlist, once for each
    /// segment (bis-22 section 6.3.7).
    private func readDelta(after known: FollowedPlaylist.Version, of number: Int) async {
        let (before, control) = (known.playlist, known.playlist.serverControl)
        guard let newest = playlists[number].newest, newest.playlist.endMediaSequence > before.endMediaSequence,
            DeliveryDirectives.isYoungEnough(age: newest.instant.duration(since: known.instant), control),
            let skip = DeliveryDirectives.skip(offeredBy: control)
        else { return }
        let reading = await reader.read(DeliveryDirectives(skip: skip).url(playlists[number].place))
        guard case .success(let body?) = reading.body else { return }
        let checked = CheckedAnswer(body, of: reading, importing: exported)
        guard case .media(let delta)? = checked.playlist, delta.skippedSegments > 0 else { return }
        var found = reading.violations + checked.violations.filter(\.isOfSkip)
        if let merged = try? MediaPlaylist.merging(delta: delta, into: before),
            merged.isOfSameMoment(as: newest.playlist),
            let mismatch = DeltaMismatch(expected: newest.playlist, observed: merged, own: nil)
        {
            found.append(mismatch.violation)
        }
        record(found, of: number)
    }

    private func reload(_ number: Int, after delay: Duration?, from instant: Instant) -> TimedLoad? {
        delay.map { TimedLoad(deadline: instant.later(by: $0)) { await self.load(number) } }
    }

    /// Lists that a player at the live edge would read now: once, neither long before their start nor after their end.
    ///
    /// As a player asks (bis-22 appendix D.4).
    private func readLists(of playlist: MediaPlaylist, at base: String) {
        let edge = playlist.hasEndList ? nil : playlist.endProgramDate
        for interstitial in playlist.interstitials(base: "") {
            guard case .assetList(let uri) = interstitial.content else { continue }
            if let edge, !interstitial.isNear(edge, holdBack: playlist.holdBack) { continue }
            let asked = [interstitial.id, PlayedAddress.unsigned(uri[...])]
            guard !lists.contains(asked) else { continue }
            guard lists.count < Self.listLimit else {
                return note("Only the first \(Self.listLimit) asset lists were read.")
            }
            lists.insert(asked)
            guard let place = reader.place(of: uri, in: base) else { continue }
            let url = isLocal ? place : InterstitialQuery.url(of: .assetList(uri: place), primaryID: primaryID)
            let longest = interstitial.longestContent
            readings.append(Task { [reader] in takeList(await reader.read(url), longest: longest, at: shown(place)) })
        }
    }

    /// Address now named in place of a playlist that failed after it had answered.
    private func successor(of number: Int) async -> String? {
        guard playlists[number].isNamed, playlists[number].newest != nil,
            case let reading = await reader.read(source), case .success(let body?) = reading.body,
            case .multivariant(let playlist)? = CheckedAnswer(body, of: reading, importing: nil).playlist
        else { return nil }
        let places = Self.references(of: playlist).compactMap { reader.place(of: $0.0, in: reading.url) }
        return places.contains(playlists[number].place) ? nil : places.first.map(shown)
    }

    private func follow(_ loads: [TimedLoad], for duration: Duration) async {
        guard !loads.isEmpty else {
            note("Nothing to follow: no playlist here is live.")
            return
        }
        let task = Task { [clock] in await clock(loads, duration) }
        following = task
        if isInterrupted { task.cancel() }
        await task.value
    }

    private func failure(_ failure: StreamReading.Failure) -> StreamFailure {
        let place = shown(source)
        switch failure {
        case .refused(let answer) where answer.failure == .unauthorisedHost:
            return .unusable("\(place) leads to a host that was not named; --host NAME permits it")
        case .refused(let answer):
            guard let code = answer.failureCode else {
                return .unreachable("\(place) answers with status \(answer.status)")
            }
            let advice =
                answer.failure == .localResources
                ? "this machine refuses it: look at ulimit -n, its free ports and its firewall"
                : "check the URL, the network, and --ca-file for a private authority"
            return .unreachable("\(place) cannot be reached (\(code)); \(advice)")
        case .unreadable(let reason): return .unusable("\(place): \(reason)")
        }
    }

    /// Each playlist once, variants first.
    ///
    /// I-frame playlists are compared by discontinuities alone: their segments differ from those of the variants.
    private static func references(of playlist: MultivariantPlaylist) -> [(String, RenditionKind?)] {
        let roles: [MultivariantPlaylist.Rendition.Kind: RenditionKind] = [
            .audio: .audio, .video: .variant, .subtitles: .subtitles,
        ]
        let renditions = playlist.renditions.compactMap { rendition in
            rendition.uri.map { ($0, roles[rendition.type]) }
        }
        let variants = playlist.variants.map { variant in
            (variant.uri, RenditionKind?.some(playlist.isSharedAudio(variant.uri) ? .audio : .variant))
        }
        let all = variants + renditions + playlist.iFrameVariants.map { ($0.uri, .keyFrames) }
        var seen: Set<String> = []
        return all.filter { seen.insert($0.0).inserted }
    }

    /// Nil if the playlist is known already or the limit is reached.
    private func add(_ place: String, isNamed: Bool = false, role: RenditionKind? = nil) -> Int? {
        guard !playlists.contains(where: { $0.place == place }) else { return nil }
        guard playlists.count < Self.playlistLimit else {
            note("Only the first \(Self.playlistLimit) playlists were read.")
            return nil
        }
        playlists.append(FollowedPlaylist(place: place, name: shown(place), isNamed: isNamed, role: role))
        if role == .variant, reference == nil { reference = playlists.count - 1 }
        return playlists.count - 1
    }

    /// Microseconds: longer delays in publishing are rare, dates ahead of the clock even more, and a day is a recording's.
    private static let usualOffsets: ClosedRange<Int64> = -20_000_000...3_000_000
    private static let likelyOffsets: ClosedRange<Int64> = -86_400_000_000...86_400_000_000

    /// Says by how much the dates of the first live playlist differ from this machine's clock.
    private func noteClock(of playlist: MediaPlaylist) {
        guard !hasReadClock, let end = playlist.ownEndProgramDate else { return }
        hasReadClock = true
        let offset = end.microseconds.subtractingClamped(MonotonicClock.wallMicroseconds())
        guard !Self.usualOffsets.contains(offset), Self.likelyOffsets.contains(offset) else { return }
        note(ChannelClockText.sentence(offset))
    }

    private func note(_ text: String) { if !notes.contains(text) { notes.append(text) } }

    /// `delay` counts from the request; nil for a playlist that never changes.
    private func take(
        _ body: [UInt8]?,
        of reading: StreamReading,
        _ number: Int
    ) -> (playlist: Playlist?, delay: Duration?) {
        let outcome = playlists[number].take(body, of: reading, importing: exported)
        record(outcome.violations, of: number)
        if outcome.isNewBody, let reference, reference != number {
            let other = playlists[reference]
            let channel = playlists.filter(\.isNamed).map(\.place)
            let found = playlists[number].violations(beside: other, of: channel, isFollowed: isFollowed)
            record(found, of: number)
        }
        if case .media? = outcome.playlist {
            unreached[number] = nil
        } else if playlists[number].newest == nil, outcome.playlist == nil || playlists[number].isNamed {
            unreached[number] = ("a body that is not a playlist", true)
        }
        switch outcome.playlist {
        case .multivariant? where playlists[number].isNamed: return (nil, nil)
        case .multivariant(let playlist)?:
            exported = playlist.variables(url: reading.url)
            return (outcome.playlist, nil)
        case .media(let playlist)?:
            defer { readLists(of: playlist, at: reading.url) }
            guard ReloadRule.isReloaded(playlist) else { return (outcome.playlist, nil) }
            if !isLocal { noteClock(of: playlist) }
            if isFollowed, playlists[number].isHeld { return (outcome.playlist, FollowedPlaylist.shortestPause) }
            return (outcome.playlist, ReloadRule.lastSegmentDuration.delay(after: playlist, changed: outcome.isUpdate))
        case nil:
            return (nil, playlists[number].newest.map { .seconds($0.playlist.targetDurationSeconds) / 2 })
        }
    }

    /// Returns the time until the next try; nil if a retry would fail in the same way.
    ///
    /// `successor` replaces this address in the multivariant playlist.
    private func miss(_ failure: StreamReading.Failure, of number: Int, movedTo successor: String? = nil) -> Duration? {
        guard var observed = problem(failure, at: playlists[number].summary.url) else { return nil }
        if let successor {
            observed += "; the multivariant playlist names it no more and now names others: \(successor)"
        }
        let status: Int? = if case .refused(let answer) = failure, answer.failure == nil { answer.status } else { nil }
        let isRefused = status == 401 || status == 403
        if isRefused { record([Violation(.accessRefused, expected: "the playlist", observed: observed)], of: number) }
        if playlists[number].newest == nil {
            unreached[number] = (observed, isRefused)
        } else if !isRefused {
            let likely = successor.map { _ in PlaylistWatch.renamed }
            let found = Violation(.playlistUnavailable, expected: "the playlist", observed: observed, likely: likely)
            record([found], of: number)
        }
        return .seconds(max(1, playlists[number].newest?.playlist.targetDurationSeconds ?? 2)) / 2
    }

    /// Servers make lists for a viewer at its time, so a missing one is not a finding.
    private func takeList(_ reading: StreamReading, longest: Duration?, at name: String) {
        switch reading.body {
        case .success(let body):
            record(reading.violations, at: name)
            let body = body ?? []
            do {
                let read = try AssetList(parsing: body)
                record(AssetListChecks.violations(of: read, longest: longest), at: name)
            } catch {
                record([body.withUnsafeBytes { AssetListChecks.violation(of: error, in: $0) }], at: name)
            }
        case .failure(let failure):
            guard let problem = problem(failure, at: name) else { return }
            note("The asset list \(name) could not be read: \(problem).")
        }
    }

    /// 410 and 429 are valid answers.
    private func missSteering(_ failure: StreamReading.Failure, at name: String) {
        if case .refused(let answer) = failure, answer.failure == nil, [410, 429].contains(answer.status) { return }
        guard let observed = problem(failure, at: name) else { return }
        record([Violation(.steeringUnavailable, expected: SteeringChecks.expected, observed: observed)], at: name)
    }

    /// Nil for a host that was not named, which is noted.
    private func problem(_ failure: StreamReading.Failure, at name: String) -> String? {
        switch failure {
        case .refused(let answer) where answer.failure == .unauthorisedHost:
            note("\(name) is on a host that was not named, so it was not read; --host NAME permits it.")
            return nil
        case .refused(let answer): return answer.failureCode.map { "no answer: \($0)" } ?? "status \(answer.status)"
        case .unreadable(let reason): return reason
        }
    }

    private func record(_ violations: [Violation], of number: Int) {
        record(violations, at: playlists[number].summary.url)
    }

    /// Answers that are not playlists, by redacted place.
    private func record(_ violations: [Violation], at name: String) {
        let now = MonotonicClock.wallMicroseconds()
        for violation in violations {
            let shown = Redaction.pair(expected: violation.expected, observed: violation.observed, own: nil)
            ledger.record(
                violation.code,
                at: name,
                line: violation.line,
                wallMicroseconds: now,
                expected: shown.expected,
                observed: shown.observed,
                likely: violation.likely
            )
        }
    }

    /// The channel, where no media playlist was read, or single playlists.
    private func recordUnreached() {
        let missing = unreached.sorted { $0.key < $1.key }
        if !isLocal, let (number, first) = missing.first, !playlists.contains(where: { $0.newest != nil }) {
            let expected = "a playlist of the channel"
            return record([Violation(.channelUnavailable, expected: expected, observed: first.problem)], of: number)
        }
        for (number, one) in missing where !one.isFound {
            record([Violation(.playlistUnavailable, expected: "the playlist", observed: one.problem)], of: number)
        }
    }
}

extension Interstitial {
    /// Until then every known player has asked for the list.
    private static let lookAhead = Duration.seconds(30)

    /// An interstitial with CUE has no place in the programme.
    fileprivate func isNear(_ edge: WallTime, holdBack: Duration) -> Bool {
        guard !cue.contains(.pre), !cue.contains(.post) else { return true }
        return startDate <= edge + Self.lookAhead && startDate + (announcedDuration ?? .zero) > edge - holdBack
    }
}
