import AdServing
import Foundation
import HLS
package import Report
package import Rules
import Swarm
import Synchronization
import Transport
import Values

package final class LintRun: Sendable {
    private let options: LintOptions
    private let reader: StreamReader
    private let clock: any LintClock
    private let state: LintState
    private let isInterrupted = Atomic<Bool>(false)
    private let following = Mutex<Task<Void, Never>?>(nil)
    private let interruption = AsyncStream<Void>.makeStream()
    /// For open requests after an interruption.
    private static let patience = Duration.seconds(1)
    /// Playlists are reloaded while asset lists are read.
    private let lists = Mutex<[Task<Void, Never>]>([])
    private let primaryID = UUID().uuidString

    /// Reads nothing; fails for a URL or a file of authorities that cannot be used.
    package convenience init(_ options: LintOptions) async throws(StreamFailure) {
        try await self.init(options, Self.reader(options), MachineLintClock())
    }

    init(_ options: LintOptions, _ reader: StreamReader, _ clock: any LintClock) {
        (self.options, self.reader, self.clock) = (options, reader, clock)
        state = LintState(isFollowed: options.follow != nil, isLocal: options.source.isLocal)
    }

    private static func reader(_ options: LintOptions) async throws(StreamFailure) -> StreamReader {
        guard case .url(let url) = options.source else { return StreamReader() }
        guard let host = URLComponents(string: url)?.host, !host.isEmpty else {
            throw StreamFailure(.unusable, "\(Redaction.url(url, own: nil)) is not a URL")
        }
        let hosts = [host] + AuthorisedHosts.machine(of: url) + options.access.hosts
        let asked = AuthorisedHosts(hosts, of: [url])
        return try await StreamReader(options.access, asking: asked, largestBody: StreamReader.largestFile)
    }

    /// From any thread; findings up to then count.
    package func interrupt() {
        isInterrupted.store(true, ordering: .relaxed)
        following.withLock { $0?.cancel() }
        interruption.continuation.finish()
    }

    /// Fails only if the first playlist cannot be read.
    package func document() async throws(StreamFailure) -> LintDocument {
        let start = MonotonicClock.wallMicroseconds()
        let (ends, end) = AsyncStream<StreamFailure?>.makeStream()
        Task { end.yield(await self.read()) }
        let limit = Task { [stream = interruption.stream] in
            for await _ in stream {}
            try? await Task.sleep(for: Self.patience)
            end.yield(nil)
        }
        defer { limit.cancel() }
        var failure: StreamFailure?
        for await first in ends {
            failure = first
            break
        }
        if let failure, !isInterrupted.load(ordering: .relaxed) { throw failure }
        return await state.document(
            options,
            source: shown(source),
            start: start,
            wasInterrupted: isInterrupted.load(ordering: .relaxed)
        )
    }

    private func read() async -> StreamFailure? {
        var failure: StreamFailure?
        do throws(StreamFailure) {
            let loads = try await readAll()
            if let follow = options.follow { await self.follow(loads, for: follow) }
            for list in lists.withLock({ $0 }) { await list.value }
        } catch {
            failure = error
        }
        await reader.shutDown()
        return failure
    }

    private var source: String {
        switch options.source {
        case .url(let url): url
        case .file(let path): path
        case .standardInput: StreamReader.standardInput
        }
    }

    private func shown(_ place: String) -> String { options.source.isLocal ? place : Redaction.url(place, own: nil) }

    /// Returns the loads of what may change.
    private func readAll() async throws(StreamFailure) -> [TimedLoad] {
        guard let number = await state.add(source, name: shown(source)) else { return [] }
        let instant = clock.now()
        let reading = await reader.read(source, isFirst: true)
        await state.record(reading.violations, of: number)
        let answer: StreamAnswer
        switch reading.outcome {
        case .success(let read): answer = read
        case .failure(let reason):
            // Findings in the answer say more than the failure to read it.
            guard !reading.violations.isEmpty else { throw failure(reason) }
            _ = await state.miss(reason, of: number)
            return []
        }
        let request = FollowedPlaylist.Request(url: source, askedAt: instant, answeredAt: clock.now())
        let (playlist, delay) = await state.take(answer, of: number, request)
        guard case .multivariant(let multivariant)? = playlist else {
            if case .media(let media)? = playlist { await readLists(of: media, at: answer.url) }
            return [reload(number, source, after: delay, from: instant)].compactMap(\.self)
        }
        let steering = await readSteering(of: multivariant, at: answer.url)
        var numbers: [(Int, String)] = []
        var missing = 0
        for (reference, part) in Self.references(of: multivariant) {
            guard let place = reader.place(of: reference, in: answer.url) else {
                missing += 1
                continue
            }
            if let number = await state.add(place, name: shown(place), part: part) {
                numbers.append((number, place))
            }
        }
        if missing > 0 {
            await state.note("\(missing) of the playlists that it names cannot be read from here; a URL reads all.")
        }
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
            await state.note("The steering manifest that it names cannot be read from here; a URL reads all.")
            return nil
        }
        let pathway = server.pathwayID ?? channel.pathways.first
        return await load(Steering(place: place, pathways: channel.pathways, pathway: pathway))
    }

    /// A player loads it again after its TTL, or never after 410 (bis-22 section 7.1).
    private func load(_ steering: Steering) async -> TimedLoad? {
        let (place, instant) = (steering.place, clock.now())
        let asked =
            options.source.isLocal
            ? place
            : ContentSteering.requestURL(
                place,
                base: place,
                pathway: steering.pathway,
                throughput: Self.firstThroughput
            )
        let reading = await reader.read(asked)
        await state.record(reading.violations, at: shown(place))
        var next = steering
        switch reading.outcome {
        case .success(let answer):
            let found = answer.body.withUnsafeBytes { SteeringChecks.violations(in: $0, pathways: steering.pathways) }
            await state.record(found, at: shown(place))
            if let manifest = try? answer.body.withUnsafeBytes({ try SteeringManifest.parse($0) }) {
                next.timeToLive = max(.seconds(1), manifest.timeToLive)
                next.place = manifest.reloadURI.flatMap { reader.place(of: $0, in: answer.url) } ?? place
            }
        case .failure(.refused(let answer)) where answer.failure == nil && answer.status == 410: return nil
        case .failure(let reason): await state.missSteering(reason, at: shown(place))
        }
        return TimedLoad(deadline: instant.later(by: next.timeToLive)) { [next] in await self.load(next) }
    }

    /// Reads the first variant first: the others are compared with it.
    private func readEach(_ playlists: [(number: Int, place: String)]) async -> [TimedLoad] {
        guard let first = playlists.first else { return [] }
        let reference = await load(first.number, first.place)
        return await withTaskGroup(of: TimedLoad?.self) { group in
            for (number, place) in playlists.dropFirst() {
                group.addTask { await self.load(number, place) }
            }
            return await group.reduce(into: [reference].compactMap(\.self)) { if let live = $1 { $0.append(live) } }
        }
    }

    /// Nil for a playlist that never changes.
    private func load(_ number: Int, _ place: String) async -> TimedLoad? {
        let instant = clock.now()
        let (url, entityTag) = await state.request(for: number)
        let reading = await reader.read(url, unless: entityTag)
        await state.record(reading.violations, of: number)
        let delay: Duration?
        switch reading.outcome {
        case .success(let answer):
            let request = FollowedPlaylist.Request(url: url, askedAt: instant, answeredAt: clock.now())
            let taken = await state.take(answer, of: number, request)
            if case .media(let media)? = taken.playlist { await readLists(of: media, at: answer.url) }
            delay = taken.delay
        case .failure(let reason):
            delay = await state.miss(reason, of: number, movedTo: successor(of: number, at: place))
        }
        return reload(number, place, after: delay, from: instant)
    }

    private func reload(_ number: Int, _ place: String, after delay: Duration?, from instant: Instant) -> TimedLoad? {
        delay.map { TimedLoad(deadline: instant.later(by: $0)) { await self.load(number, place) } }
    }

    /// Each once, as a player asks (bis-22 appendix D.4).
    private func readLists(of playlist: MediaPlaylist, at base: String) async {
        guard !playlist.dateRanges.isEmpty else { return }
        for (uri, longest) in await state.interstitialsToRead(in: playlist) {
            guard let place = reader.place(of: uri, in: base) else { continue }
            let isLocal = options.source.isLocal
            let url = isLocal ? place : InterstitialQuery(primaryID: primaryID).assetListURL(place)
            let task = Task { [reader, state, name = shown(place)] in
                await state.takeList(await reader.read(url), longest: longest, at: name)
            }
            lists.withLock { $0.append(task) }
        }
    }

    /// Address now named in place of a playlist that failed after it had answered.
    private func successor(of number: Int, at place: String) async -> String? {
        guard await state.hasAnswered(number), case .success(let answer) = await reader.read(source).outcome,
            case .multivariant(let playlist)? = CheckedAnswer(answer, importing: nil).playlist
        else { return nil }
        let places = Self.references(of: playlist).compactMap { reader.place(of: $0.0, in: answer.url) }
        return places.contains(place) ? nil : places.first.map(shown)
    }

    private func follow(_ loads: [TimedLoad], for duration: Duration) async {
        guard !loads.isEmpty else {
            await state.note("Nothing to follow: no playlist here is live.")
            return
        }
        let end = clock.now().later(by: duration)
        let task = Task { await clock.make(loads, until: end) }
        following.withLock { $0 = task }
        if isInterrupted.load(ordering: .relaxed) { task.cancel() }
        await task.value
    }

    private func failure(_ failure: StreamReading.Failure) -> StreamFailure {
        let place = shown(source)
        switch failure {
        case .refused(let answer) where answer.failure == .unauthorisedHost:
            return StreamFailure(.unusable, "\(place) leads to a host that was not named; --host NAME permits it")
        case .refused(let answer):
            guard let code = answer.failureCode else {
                return StreamFailure(.unreachable, "\(place) answers with status \(answer.status)")
            }
            let advice =
                answer.failure == .localResources
                ? "this machine refuses it: look at ulimit -n, its free ports and its firewall"
                : "check the URL, the network, and --ca-file for a private authority"
            return StreamFailure(.unreachable, "\(place) cannot be reached (\(code)); \(advice)")
        case .unreadable(let reason): return StreamFailure(.unusable, "\(place): \(reason)")
        }
    }

    /// Each playlist once, variants first.
    ///
    /// I-frame playlists are compared by discontinuities alone: their segments differ from those of the variants.
    private static func references(of playlist: MultivariantPlaylist) -> [(String, FollowedPlaylist.Part)] {
        let renditions = playlist.renditions.compactMap { rendition in
            rendition.uri.map { ($0, FollowedPlaylist.Part.media(Self.role(of: rendition.type))) }
        }
        let all =
            playlist.variants.map { ($0.uri, FollowedPlaylist.Part.media(.variant)) } + renditions
            + playlist.iFrameVariants.map { ($0.uri, .keyFrames) }
        var seen: Set<String> = []
        return all.filter { seen.insert($0.0).inserted }
    }

    private static func role(of type: MultivariantPlaylist.Rendition.Kind) -> RenditionKind? {
        switch type {
        case .audio: .audio
        case .video: .variant
        case .subtitles: .subtitles
        case .closedCaptions: nil
        }
    }
}

package struct LintOptions: Sendable {
    package var source: LintSource
    /// Nil: each playlist is read once.
    package var follow: Duration?
    package var failsFrom = Severity.wrong
    /// Findings that do not make the lint fail.
    package var allowed: Set<String> = []
    package var access = StreamAccess()

    package init(_ source: LintSource) { self.source = source }
}

package enum LintSource: Sendable {
    case url(String)
    case file(String)
    case standardInput

    package init(_ text: String) {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        if text == "-" {
            self = .standardInput
        } else if text.contains("://"), scheme == "http" || scheme == "https" {
            self = .url(text)
        } else {
            self = .file(text)
        }
    }

    /// Nil for http, https and text that is not a URL, such as a path.
    package static func foreignScheme(of text: String) -> Substring? {
        guard case .file = LintSource(text), let end = text.firstRange(of: "://")?.lowerBound else { return nil }
        let scheme = text[..<end]
        let isScheme =
            !scheme.isEmpty && scheme.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        return isScheme && !FileManager.default.fileExists(atPath: text) ? scheme : nil
    }

    package var isLocal: Bool {
        if case .url = self { return false }
        return true
    }
}

protocol LintClock: Sendable {
    func now() -> Instant

    /// A cancelled task ends the loads early.
    func make(_ loads: [TimedLoad], until end: Instant) async
}

struct TimedLoad: Sendable {
    let deadline: Instant
    /// Returns the next load; nil for the last.
    let load: @Sendable () async -> TimedLoad?
}

/// Loads of one deadline go side by side.
struct MachineLintClock: LintClock {
    func now() -> Instant { MonotonicClock.now() }

    func make(_ loads: [TimedLoad], until end: Instant) async {
        await withTaskGroup(of: Void.self) { group in
            for load in loads {
                group.addTask { await make(load, until: end) }
            }
        }
    }

    private func make(_ first: TimedLoad, until end: Instant) async {
        var next = Optional(first)
        while let load = next, load.deadline < end {
            let wait = max(0, load.deadline.nanoseconds(since: now()))
            do {
                try await Task.sleep(for: .nanoseconds(wait))
            } catch {
                return
            }
            next = await load.load()
        }
    }
}
