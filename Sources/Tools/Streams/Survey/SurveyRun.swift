import AdServing
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
        var findings = Set(first.violations.map(\.code))
        facts.saw(first.url, in: first.url, as: "the playlist, by a redirect")
        let entry = try MediaEntry(first, &facts)
        let begun = MonotonicClock.now()
        let chosen = try await media(of: first, entry)
        let (media, playlist) = (chosen.reading, chosen.playlist)
        try Self.refuseUnlessLive(playlist)
        facts.take(playlist, isUpdate: true, base: media.url)
        let watch = watch ?? Self.usualWatch(playlist)
        progress("Following the media playlist for at most \(watch.roundedUpToSeconds.text)")
        findings.formUnion(media.violations.map(\.code))
        await follow(&facts, from: media, playlist, entry, since: begun, for: watch, &findings)
        try refuseIfStill(facts.media)
        facts.notes = chosen.note.map { [$0] } ?? []
        if let list = facts.assetList {
            let url = InterstitialQuery(primaryID: UUID().uuidString).url(of: .assetList(uri: list))
            if let read = await readAssetList(url) {
                facts.take(assets: read.assets, base: read.url)
            } else {
                facts.notes.append("An asset list was asked for, and none came that can be read.")
            }
        }
        facts.cookies = SeenCookies([first.answer, media.answer])
        if facts.ladder != nil { facts.session = await session(by: chosen.variant) }
        if facts.ladder.map({ $0.variants > MediaEntry.mostLookedAt }) ?? false {
            facts.notes.append(
                "Only the first \(TextLayout.counted(MediaEntry.mostLookedAt, "variant")) were looked at."
            )
        }
        if facts.unreadableHosts > 0 {
            facts.notes.append("\(facts.unreadableHosts) addresses lead to hosts that cannot be asked.")
        }
        facts.findings = findings.sorted { ($1.severity, $0.code) < ($0.severity, $1.code) }
        return facts
    }

    private struct Chosen {
        var variant: MediaEntry.Variant
        var reading: Reading
        var playlist: MediaPlaylist
        /// Reason why it is not the first variant's.
        var note: String?
    }

    /// The first one that can be read, of at most ``MediaEntry/mostTried``.
    private func media(of first: Reading, _ entry: MediaEntry) async throws(StreamFailure) -> Chosen {
        var failures: [StreamFailure] = []
        for variant in entry.variants.prefix(MediaEntry.mostTried) {
            do throws(StreamFailure) {
                let reading: Reading
                if case .media = first.playlist {
                    reading = first
                } else {
                    reading = try await read(variant.url, as: "the media playlist", importing: entry.variables)
                }
                guard case .media(let playlist) = reading.playlist else {
                    throw StreamFailure(
                        .unusable,
                        "the multivariant playlist names another one where a media playlist belongs"
                    )
                }
                let note = Self.note(on: variant, after: failures)
                return Chosen(variant: variant, reading: reading, playlist: playlist, note: note)
            } catch {
                failures.append(error)
            }
        }
        let why = failures.first ?? StreamFailure(.unusable, "the multivariant playlist names no variant")
        guard failures.count > 1 else { throw why }
        let others = failures.count == 2 ? "the next variant" : "the next \(failures.count - 1) variants"
        throw StreamFailure(why.reason, "\(why.message); nor can \(others) be read")
    }

    private static func note(on variant: MediaEntry.Variant, after failures: [StreamFailure]) -> String? {
        guard variant.number > 1 else { return nil }
        let why = failures.first.map(\.message) ?? "those before it are on hosts that were not asked."
        return "Variant \(variant.number) was followed: \(why)"
    }

    private static func usualWatch(_ playlist: MediaPlaylist) -> Duration {
        min(.seconds(max(1, playlist.targetDurationSeconds)) * watchedTargets, longestUsualWatch)
    }

    /// Until `watch` has passed or the cadence of breaks is known.
    private func follow(
        _ facts: inout StreamFacts,
        from media: Reading,
        _ playlist: MediaPlaylist,
        _ entry: MediaEntry,
        since begun: Instant,
        for watch: Duration,
        _ findings: inout Set<FindingCode>
    ) async {
        var followed = FollowedPlaylist(place: media.url, name: "", part: nil)
        let first = FollowedPlaylist.Request(url: media.url, askedAt: begun, answeredAt: begun)
        findings.formUnion(followed.take(media.answer, importing: entry.variables, of: first).violations.map(\.code))
        let end = begun.later(by: watch)
        var newest = playlist
        var next = begun.later(by: ReloadRule().delay(after: newest, changed: true))
        while next < end, !(facts.media.versions > 1 && facts.breaks.hasCadence) {
            try? await Task.sleep(for: .nanoseconds(max(0, next.nanoseconds(since: MonotonicClock.now()))))
            let asked = MonotonicClock.now()
            var changed = false
            if let reading = try? await read(media.url, as: "", importing: entry.variables),
                case .media(let playlist) = reading.playlist
            {
                let request = FollowedPlaylist.Request(url: media.url, askedAt: asked, answeredAt: MonotonicClock.now())
                let outcome = followed.take(reading.answer, importing: entry.variables, of: request)
                changed = outcome.isUpdate
                newest = playlist
                facts.take(playlist, isUpdate: changed, base: reading.url)
                findings.formUnion((reading.violations + outcome.violations).map(\.code))
            } else {
                facts.media.reads += 1
                facts.media.failedReads += 1
            }
            next = asked.later(by: ReloadRule().delay(after: newest, changed: changed))
        }
        facts.media.watched = .nanoseconds(MonotonicClock.now().nanoseconds(since: begun))
    }

    /// Reads the multivariant playlist again to find differences.
    private func session(by variant: MediaEntry.Variant) async -> SessionTrace? {
        guard let again = try? await read(address.url, as: "") else { return nil }
        var facts = StreamFacts(address, allowed: allowed)
        guard let entries = try? MediaEntry(again, &facts).variants,
            let other = entries.first(where: { $0.number == variant.number })
        else { return nil }
        return SessionTrace.between(variant.url, other.url)
    }

    static func refuseUnlessLive(_ playlist: MediaPlaylist) throws(StreamFailure) {
        guard ReloadRule.isReloaded(playlist) else {
            throw StreamFailure(
                .unusable,
                "the stream is a recording (\(playlist.hasEndList ? "EXT-X-ENDLIST" : "EXT-X-PLAYLIST-TYPE:VOD")): "
                    + "podswarm rehearses live channels"
            )
        }
        guard !playlist.segments.isEmpty || !playlist.parts.isEmpty else {
            throw StreamFailure(
                .unusable,
                "the media playlist has no segment yet: look again when the stream is on air"
            )
        }
    }

    /// No live stream, or one whose encoder is off.
    private func refuseIfStill(_ facts: MediaFacts) throws(StreamFailure) {
        guard facts.versions == 1, facts.watched >= facts.targetDuration * 2 else { return }
        let seconds = facts.watched.components.seconds
        let reads = facts.failedReads == 0 ? "" : ", and \(facts.failedReads) of \(facts.reads) reads failed"
        throw StreamFailure(
            .unusable,
            "the media playlist brought nothing new in \(seconds) s, at a target duration of "
                + "\(facts.targetDuration.text)\(reads): is the stream on air? --watch looks longer"
        )
    }
}

extension Duration {
    var roundedUpToSeconds: Duration { .seconds(components.seconds + (components.attoseconds > 0 ? 1 : 0)) }
}
