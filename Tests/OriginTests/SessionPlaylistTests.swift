import AdServing
import HLS
import HTTPTypes
import NIOCore
import Profile
import Testing

@testable import Origin

/// Live playlists that are each session's own, with ads stitched into them that nothing marks.
@Suite struct SessionPlaylistTests {
    /// A multiple of 120 s: the first break after the origin's start.
    private static let start = WallTime(microseconds: 1_795_248_720_000_000)
    private static let stitched = "stitched: {every: 120s, duration: 20s, adDuration: 8s, dialect: none}\n"

    private static func probe(faults: String = "", more: String = "", areOwn: Bool = true) throws -> ServiceProbe {
        let probe = try ServiceProbe(faults: faults, channel: stitched + more) {
            $0.segmentDuration = .seconds(2)
            $0.hasSessionPlaylists = areOwn
        }
        probe.now = start - .seconds(5)
        return probe
    }

    /// The addresses that a playlist names: segments, initialization sections, parts and hints.
    private static func addresses(_ playlist: MediaPlaylist) -> [String] {
        playlist.segments.map(playlist.uri(of:))
            + playlist.segments.compactMap { segment in segment.mapURI.map { playlist.string(in: $0) } }
    }

    private static func isAd(_ address: String) -> Bool { address.contains("stitched/") }

    /// What a viewer's first variant is after some seconds of the break.
    private static func media(_ probe: ServiceProbe, _ viewer: UInt64, after seconds: Int = 20) throws -> MediaPlaylist
    {
        probe.now = start + .seconds(seconds)
        let multivariant = try probe.multivariant(probe.get("/live/main/multivariant.m3u8", viewer: viewer))
        let uri = try #require(multivariant.variants.first).uri
        return try probe.media(probe.get(uri.hasPrefix("/") ? uri : "/live/main/\(uri)", viewer: viewer))
    }

    @Test func nothingMarksABreakButItsDiscontinuities() throws {
        let probe = try Self.probe(areOwn: false)
        let playlist = try Self.media(probe, 1)
        #expect(playlist.segments.allSatisfy { Self.isAd(playlist.uri(of: $0)) })
        let isDiscontinuity = playlist.segments.map(\.isDiscontinuity)
        #expect(isDiscontinuity == [true, false, false, false, true, false, false, false, true, false])
        #expect(playlist.otherTags.isEmpty && playlist.dateRanges.isEmpty)
        let back = try Self.media(probe, 1, after: 24)
        #expect(back.otherTags.isEmpty && back.segments.contains { $0.isDiscontinuity })
    }

    @Test func whatIsASessionsOwnLiesUnderItsPathAndTheContentWhereItIsForAll() throws {
        let probe = try Self.probe()
        let sessions = try (UInt64(1)...2).map { try probe.streamID(viewer: $0) }
        var played: Set<[String]> = []
        for (number, session) in sessions.enumerated() {
            let viewer = UInt64(number + 1)
            let answer = probe.get("/live/main/multivariant.m3u8", viewer: viewer)
            #expect(answer.fields[.cacheControl] == "no-store")
            let uris = try probe.multivariant(answer).variants.map(\.uri)
            #expect(uris == ["360p", "180p"].map { "/s/\(session.percentEncoded)/live/main/\($0)/media.m3u8" })
            let playlist = try Self.media(probe, viewer, after: 14)
            let addresses = Self.addresses(playlist)
            #expect(addresses.contains(where: Self.isAd) && !addresses.allSatisfy(Self.isAd))
            for address in addresses {
                let own = Self.isAd(address) ? "/s/\(session.percentEncoded)" : ""
                #expect(address.hasPrefix("\(own)/live/main/360p/"), "\(address)")
                #expect(probe.get(address, viewer: viewer).status == .ok, "\(address)")
            }
            played.insert(addresses.map { PlayedAddress().text(of: $0, own: [session.rawValue]) })
        }
        #expect(played.count == 1)
        #expect(probe.service.truth(at: probe.now).requests["other"]?.received == 0)
    }

    @Test func aSessionThatThePathOfTheChannelNamesIsCarriedOn() throws {
        let probe = try Self.probe()
        let text = String(buffer: probe.get("/templates/session", viewer: 4).body)
        let session = try #require(text.firstMatch(of: #/[0-9a-f-]{36}:TUL/#)).output
        let piece = StreamID(String(session)).percentEncoded
        let content = probe.get("/templates/content/\(piece)/index.m3u8", viewer: 4)
        let uri = try #require(try probe.multivariant(content).variants.first).uri
        #expect(uri == "/s/\(piece)/live/main/360p/media.m3u8")
        // Who has the address has the playlist, whoever asks for it.
        probe.now = Self.start + .seconds(20)
        let playlist = try probe.media(probe.get(uri, viewer: 9))
        #expect(playlist.segments.allSatisfy { playlist.uri(of: $0).hasPrefix("/s/\(piece)/live/main/360p/stitched/") })
    }

    @Test func whoHasNoSessionHasAPathOfItsOwnAllTheSame() throws {
        let probe = try Self.probe()
        let pieces = try (UInt64(1)...2).map { viewer in
            let playlist = try Self.media(probe, viewer)
            let ad = playlist.uri(of: try #require(playlist.segments.first))
            return try #require(ad.wholeMatch(of: #/\/s\/([0-9a-f]{16})\/live\/main\/360p\/stitched\/.*/#)).output.1
        }
        #expect(pieces[0] != pieces[1])
    }

    @Test func partsHintsPathwaysAndVariablesLeadWhereTheyShould() throws {
        let probe = try Self.probe(
            more: """
                lowLatency: {partDuration: 500ms, deltaUpdates: v2}
                renditions: {audio: [en], subtitles: [en]}
                steering: {pathways: [a, b]}
                variables: {token: t}
                """
        )
        let session = try probe.streamID(viewer: 1).percentEncoded
        let multivariant = try probe.multivariant(probe.get("/live/main/multivariant.m3u8", viewer: 1))
        let uris = multivariant.variants.map(\.uri) + multivariant.renditions.compactMap(\.uri)
        #expect(uris.count == 8)
        probe.now = Self.start + .milliseconds(12_700)
        for uri in uris {
            let pathway = try #require(["a", "b"].first { uri.hasPrefix("/pathways/\($0)/s/\(session)/live/main/") })
            let address = uri.prefix { $0 != "?" }
            #expect(address.hasSuffix("/media.m3u8"))
            let token = "?t=" + probe.service.channel.playlist.tokenValue
            let text = String(buffer: probe.get(address + token, viewer: 1).body)
            let named =
                text.matches(of: #/URI="([^"]*)"/#).map(\.output.1)
                + text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            let listed = named.filter { !$0.hasPrefix("../") }
            #expect(listed.count >= 10)
            for address in listed {
                let own = Self.isAd(String(address)) ? "/s/\(session)" : ""
                #expect(address.hasPrefix("/pathways/\(pathway)\(own)/live/main/"), "\(address)")
                let path = address.prefix { $0 != "?" } + token
                let isHint = text.contains(#"#EXT-X-PRELOAD-HINT:TYPE=PART,URI="\#(address)""#)
                #expect(isHint || probe.get(String(path), viewer: 1).status == .ok, "\(path)")
            }
            let delta = String(buffer: probe.get(address + token + "&_HLS_skip=v2", viewer: 1).body)
            #expect(!delta.contains(DigestComment.prefix))
        }
    }

    @Test(arguments: [true, false])
    func anothersSessionIsPutIntoTheAdsOfThePlannedBreaksAndCountedThere(areOwn: Bool) throws {
        let probe = try Self.probe(
            faults: """
                - {fault: foreign_stream_id, piece: path, share: 40%, breaks: [2], kinds: [playlist, blocking_playlist]}
                """,
            areOwn: areOwn
        )
        let viewers = UInt64(0)..<30
        let given = GivenSessions()
        for viewer in viewers { given.add(try probe.streamID(viewer: viewer).rawValue, viewer: Int(viewer)) }
        func touched(after seconds: Int) throws -> [UInt64] {
            try viewers.filter { viewer in
                let playlist = try Self.media(probe, viewer, after: seconds)
                let addresses = Self.addresses(playlist)
                for address in addresses where address.hasPrefix("/") {
                    #expect(probe.get(address, viewer: viewer).status == .ok, "\(address)")
                }
                let foreign = addresses.filter { address in
                    !Array(address.utf8).withUnsafeBytes { given.foreign(in: $0, to: Int(viewer)) }.isEmpty
                }
                #expect(foreign.isEmpty || foreign == addresses.filter(Self.isAd))
                return !foreign.isEmpty
            }
        }
        #expect(try touched(after: 20) == [])
        #expect(try touched(after: 100) == [])
        #expect(probe.service.truth(at: probe.now).faults["foreign_stream_id"] ?? 0 == 0)
        let first = try touched(after: 126)
        #expect((3..<25).contains(first.count), "\(first.count) of 30")
        #expect(try touched(after: 140) == first)
        #expect(try touched(after: 180) == [])
        let truth = probe.service.truth(at: probe.now)
        #expect(truth.affected["foreign_stream_id"]?.viewers == first.count)
        #expect(truth.affected["foreign_stream_id"]?.breaks == ["2": first.count])
        #expect(truth.faults["foreign_stream_id"] == 2 * first.count)
    }

    @Test func anAddressStaysAsItIsWhoeverComesDuringABreak() throws {
        let probe = try Self.probe(faults: "- {fault: foreign_stream_id, piece: path, kinds: [playlist]}")
        let own = try probe.streamID(viewer: 1).percentEncoded
        let before = Self.addresses(try Self.media(probe, 1, after: 8)).filter(Self.isAd)
        let other = try probe.streamID(viewer: 2).percentEncoded
        let after = Self.addresses(try Self.media(probe, 1, after: 8)).filter(Self.isAd)
        #expect(before == after && !after.isEmpty && after.allSatisfy { $0.hasPrefix("/s/\(own)/") })
        let next = Self.addresses(try Self.media(probe, 1, after: 128)).filter(Self.isAd)
        #expect(!next.isEmpty && next.allSatisfy { $0.hasPrefix("/s/\(other)/") })
    }
}
