import AdServing
import CTexts
import Foundation
import HLS
import Profile
import Report
import Rules
import Swarm
import Transport
import Values

/// Reads a stream's playlists and follows one of them for a short time.
package struct SurveyRun: Sendable {
    private static let watchedTargets = 3
    private static let longestUsualWatch = Duration.seconds(60)

    private let address: StreamAddress
    private let watch: Duration?
    let access: StreamAccess
    private let allowed: AuthorisedHosts
    let reader: StreamReader

    /// Sends nothing; fails for a file of authorities that cannot be used.
    ///
    /// A nil `watch` stands for three target durations, at most a minute.
    package init(_ address: StreamAddress, _ access: StreamAccess, watch: Duration?) async throws(StreamFailure) {
        (self.address, self.access, self.watch) = (address, access, watch)
        let own = address.origin
        // On loopback only the port of the address is authorised, as in a run of the drafted profile.
        allowed = AuthorisedHosts((own.isLoopback ? [] : [own.host]) + access.hosts, of: [address.url])
        reader = try await StreamReader(access, asking: allowed, largestBody: Self.largestBody, cookies: .tried)
    }

    /// Fails if there is no live stream to draft a profile for; `progress` gets a sentence at each step.
    package func facts(_ progress: @Sendable (String) -> Void) async throws(StreamFailure) -> StreamFacts {
        do throws(StreamFailure) {
            let facts = try await look(progress)
            await reader.shutDown()
            return facts
        } catch {
            await reader.shutDown()
            throw error
        }
    }

    private func look(_ progress: @Sendable (String) -> Void) async throws(StreamFailure) -> StreamFacts {
        var facts = StreamFacts(address, allowed: allowed)
        progress("Reading \(address.shown)")
        let first = try await read(address.url, as: "the stream")
        var findings = Set(first.reading.violations.map(\.code))
        let url = first.reading.url
        facts.saw(url, in: url, as: "the playlist, by a redirect")
        let entry = try MediaEntry(first.playlist, at: url, &facts)
        let chosen = try await media(of: first, entry)
        try Self.refuseUnlessLive(chosen.playlist)
        facts.take(chosen.playlist, isUpdate: true, base: chosen.read.reading.url)
        let targets = Duration.seconds(max(1, chosen.playlist.targetDurationSeconds)) * Self.watchedTargets
        let watch = watch ?? min(targets, Self.longestUsualWatch)
        let seconds = Duration.seconds(Int64((watch / .seconds(1)).rounded(.up)))
        progress("Following the media playlist for at most \(seconds.text)")
        findings.formUnion(chosen.read.reading.violations.map(\.code))
        await follow(&facts, from: chosen, entry.variables, for: watch, &findings)
        try refuseIfStill(facts.media)
        facts.notes = chosen.note.map { [$0] } ?? []
        if let list = facts.assetList {
            let url = InterstitialQuery.url(of: .assetList(uri: list), primaryID: UUID().uuidString)
            let reading = await reader.read(url)
            if case .success(let body?) = reading.body, let list = try? AssetList(parsing: body) {
                facts.take(assets: list.assets.map { AssetList.resolved($0, against: reading.url) }, base: reading.url)
            } else {
                facts.notes.append("An asset list was asked for, and none came that can be read.")
            }
        }
        let answers = [first, chosen.read].compactMap(\.reading.answer)
        facts.cookies = (Set(answers.flatMap(\.cookies)).sorted(), answers.contains(where: \.neededCookies))
        if facts.ladder != nil { facts.session = await session(by: chosen.variant) }
        if facts.ladder.map({ $0.variants > MediaEntry.mostLookedAt }) ?? false {
            let most = TextLayout.counted(MediaEntry.mostLookedAt, "variant")
            facts.notes.append("Only the first \(most) were looked at.")
        }
        if facts.unreadableHosts > 0 {
            facts.notes.append("\(facts.unreadableHosts) addresses lead to hosts that cannot be asked.")
        }
        facts.findings = findings.sorted { ($1.severity, $0.code) < ($0.severity, $1.code) }
        return facts
    }

    private struct Chosen {
        var variant: MediaEntry.Variant
        var read: Reading
        var playlist: MediaPlaylist
        /// Reason why it is not the first variant's.
        var note: String?
    }

    /// The first one that can be read, of at most ``MediaEntry/mostTried``.
    private func media(of first: Reading, _ entry: MediaEntry) async throws(StreamFailure) -> Chosen {
        var failures: [StreamFailure] = []
        for variant in entry.variants.prefix(MediaEntry.mostTried) {
            do throws(StreamFailure) {
                var read = first
                if case .multivariant = first.playlist {
                    read = try await self.read(variant.url, as: "the media playlist", importing: entry.variables)
                }
                guard case .media(let playlist) = read.playlist else {
                    throw .unusable("the multivariant playlist names another one where a media playlist belongs")
                }
                let why = failures.first?.message ?? "those before it are on hosts that were not asked."
                let note = variant.number > 1 ? "Variant \(variant.number) was followed: \(why)" : nil
                return Chosen(variant: variant, read: read, playlist: playlist, note: note)
            } catch {
                failures.append(error)
            }
        }
        let why = failures.first ?? .unusable("the multivariant playlist names no variant")
        guard failures.count > 1 else { throw why }
        let others = failures.count == 2 ? "the next variant" : "the next \(failures.count - 1) variants"
        throw StreamFailure(reason: why.reason, message: "\(why.message); nor can \(others) be read")
    }

    /// Until `watch` has passed or the cadence of breaks is known.
    private func follow(
        _ facts: inout StreamFacts,
        from chosen: Chosen,
        _ variables: [String: String],
        for watch: Duration,
        _ findings: inout Set<FindingCode>
    ) async {
        let (first, begun) = (chosen.read.reading, chosen.read.reading.askedAt)
        var followed = FollowedPlaylist(place: first.url, name: "")
        let outcome = followed.take(try? first.body.get(), of: first, importing: variables)
        findings.formUnion(outcome.violations.map(\.code))
        let end = begun.later(by: watch)
        var newest = chosen.playlist
        var next = begun.later(by: ReloadRule.lastSegmentDuration.delay(after: newest, changed: true))
        while next < end, !(facts.media.versions > 1 && facts.breaks.hasCadence) {
            try? await Task.sleep(for: .nanoseconds(max(0, next.nanoseconds(since: MonotonicClock.now()))))
            let asked = MonotonicClock.now()
            var changed = false
            let reading = await reader.read(followed.place, isFirst: true)
            if case .success(let body) = reading.body,
                case let outcome = followed.take(body, of: reading, importing: variables),
                case .media(let playlist)? = outcome.playlist
            {
                (changed, newest) = (outcome.isUpdate, playlist)
                facts.take(playlist, isUpdate: changed, base: reading.url)
                findings.formUnion((reading.violations + outcome.violations).map(\.code))
            } else {
                facts.media.reads += 1
                facts.media.failedReads += 1
            }
            next = asked.later(by: ReloadRule.lastSegmentDuration.delay(after: newest, changed: changed))
        }
        facts.media.watched = .nanoseconds(MonotonicClock.now().nanoseconds(since: begun))
    }

    /// Reads the multivariant playlist again to find differences.
    private func session(by variant: MediaEntry.Variant) async -> SessionTrace? {
        guard let again = try? await read(address.url, as: "") else { return nil }
        var facts = StreamFacts(address, allowed: allowed)
        guard let entries = try? MediaEntry(again.playlist, at: again.reading.url, &facts).variants,
            let other = entries.first(where: { $0.number == variant.number })
        else { return nil }
        return SessionTrace.between(variant.url, other.url)
    }

    static func refuseUnlessLive(_ playlist: MediaPlaylist) throws(StreamFailure) {
        guard ReloadRule.isReloaded(playlist) else {
            throw .unusable(
                "the stream is a recording (\(playlist.hasEndList ? "EXT-X-ENDLIST" : "EXT-X-PLAYLIST-TYPE:VOD")): "
                    + "podswarm rehearses live channels"
            )
        }
        guard !playlist.segments.isEmpty || !playlist.parts.isEmpty else {
            throw .unusable("the media playlist has no segment yet: look again when the stream is on air")
        }
    }

    /// No live stream, or one whose encoder is off.
    private func refuseIfStill(_ facts: MediaFacts) throws(StreamFailure) {
        guard facts.versions == 1, facts.watched >= facts.targetDuration * 2 else { return }
        let seconds = facts.watched.components.seconds
        let reads = facts.failedReads == 0 ? "" : ", and \(facts.failedReads) of \(facts.reads) reads failed"
        throw .unusable(
            "the media playlist brought nothing new in \(seconds) s, at a target duration of "
                + "\(facts.targetDuration.text)\(reads): is the stream on air? --watch looks longer"
        )
    }

    /// Same limit as in a run; playlists for players are far smaller.
    static let largestBody = 8 << 20

    struct Reading: Sendable {
        var playlist: Playlist
        /// With the violations of the playlist.
        var reading: StreamReading
    }

    /// `name`, such as "the stream", begins the message of a failure.
    func read(_ url: String, as name: String, importing imported: [String: String]? = nil) async throws(StreamFailure)
        -> Reading
    {
        var reading = await reader.read(url, isFirst: true)
        var body: [UInt8] = []
        switch reading.body {
        case .success(let read): body = read ?? []
        case .failure(.refused(let answer)): throw failure(answer, from: url, as: name)
        case .failure(.unreadable(let reason)): throw .unusable("\(name) \(reason)")
        }
        let checked = CheckedAnswer(body, of: reading, importing: imported)
        guard checked.error == nil, let playlist = checked.playlist else {
            let kind = Self.kind(of: body, reading, refusedWith: checked.error)
            throw .unusable("\(name) at \(Redaction.url(reading.url, own: nil)) \(kind)")
        }
        reading.violations += checked.violations
        return Reading(playlist: playlist, reading: reading)
    }

    private func failure(_ answer: SingleFetch.Answer, from url: String, as name: String) -> StreamFailure {
        let next = answer.headers["location"].flatMap { URLReference.resolve($0, against: answer.url) }
        let host = next.flatMap { StreamFacts.origin(of: $0) }.map { StreamFacts.name(of: $0) }
        var values: TextTemplate.Values = ["host": host.map { [$0] } ?? [], "most": ["\(Self.largestBody >> 20)"]]
        values.set(answer.failure?.code ?? "\(answer.status)")
        values.set("3xx", if: answer.failure == nil && (300..<400).contains(answer.status))
        values.set("5xx", if: answer.failure == nil && answer.status >= 500)
        values.set("plain", if: url.lowercased().hasPrefix("http:"))
        values.set("mediaTailor", if: url.contains(WireName.MediaTailor.masterPath))
        values.set("headers", if: !access.headers.isEmpty)
        values.set("insecure", if: !access.verifiesTLS)
        let words = TextTemplate.lines(podswarm_survey(), values).first
        let asked = "\(name) at \(Redaction.url(url, own: nil))"
        guard let failure = answer.failure else {
            return .unreachable("\(asked) answers with status \(answer.status)\(words ?? "")")
        }
        let isUnusable = failure == .unauthorisedHost || failure == .bodyTooLarge
        let message = "\(asked) \(words ?? "cannot be read (\(failure.code))")"
        return isUnusable ? .unusable(message) : .unreachable(message)
    }

    private static func kind(of body: [UInt8], _ reading: StreamReading, refusedWith error: PlaylistError?) -> String {
        let head = String(decoding: body.prefix(2_048), as: UTF8.self).drop(while: \.isWhitespace).lowercased()
        if body.isEmpty { return "is empty: an answer without a playlist in it" }
        if head.contains("<mpd") { return "is a manifest of DASH; podswarm rehearses HLS" }
        if head.hasPrefix("<!doctype html") || head.hasPrefix("<html")
            || reading.answer?.headers["content-type"]?.contains("html") ?? false
        {
            return "is a web page, no playlist: the URL of the stream itself is wanted, as a player is given it"
        }
        guard let error, error.code != .notAPlaylist else { return "is not a playlist: its first line is not #EXTM3U" }
        return "is a playlist that cannot be read: line \(error.line): \(error.detail)"
    }
}
