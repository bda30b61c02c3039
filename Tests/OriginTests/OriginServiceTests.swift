import AdServing
import HLS
import HTTPTypes
import NIOCore
import Testing

@testable import Origin

/// An origin without sockets, at an instant of its own.
final class ServiceProbe {
    private final class Connection {}

    let service: OriginService
    private let connection = Connection()
    /// 2026-11-21T08:12:10Z, ten seconds after the start of the break with number 1 of a schedule each minute.
    var now = WallTime(microseconds: 1_795_248_730_000_000)

    init(
        faults: String = "",
        channel: String = "",
        _ change: (inout OriginConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = OriginConfiguration()
        change(&configuration)
        try configuration.validate()
        let channelPlan = try ChannelPlan.read(channel)
        try channelPlan.validate(on: configuration)
        service = try OriginService(
            configuration,
            plan: try FaultPlanReader.read(faults, seed: configuration.seed),
            channelPlan: channelPlan,
            clips: try ClipLibrary(),
            started: now - .seconds(20)
        )
    }

    func exchange(_ path: String, method: HTTPRequest.Method = .get, viewer: UInt64? = nil) -> Exchange {
        var head = HTTPRequest(method: method, scheme: "http", authority: "127.0.0.1:8080", path: path)
        if let viewer { head.headerFields[.viewerNumber] = String(viewer) }
        return service.arrived(head, connection: ObjectIdentifier(connection), at: now).exchange
    }

    func get(_ path: String, viewer: UInt64? = nil) -> Answer {
        service.answer(exchange(path, viewer: viewer), body: ByteBuffer(), isJSON: false)
    }

    func post(_ path: String, body: String = "", isJSON: Bool = false, viewer: UInt64? = nil) -> Answer {
        let exchange = exchange(path, method: .post, viewer: viewer)
        return service.answer(exchange, body: ByteBuffer(string: body), isJSON: isJSON)
    }

    static let registrationPath = "/ssai/pods/api/v1/network/21775744923/custom_asset/sgai-hls-live/stream"

    /// Registers and reads the answer as a client does.
    func register(viewer: UInt64? = nil) throws -> StreamSession {
        let answer = post(Self.registrationPath, viewer: viewer)
        return try answer.body.withUnsafeReadableBytes { bytes throws(AdServingError) in try StreamSession(json: bytes)
        }
    }

    func manifestPath(_ identifier: String, _ streamID: StreamID, query: String = "&pd=30000") -> String {
        "/linear/pods/v1/hls/network/21775744923/custom_asset/sgai-hls-live/\(identifier).m3u8"
            + "?stream_id=\(streamID.percentEncoded)\(query)"
    }

    /// The pod's media playlist in its first variant, as a client comes by it.
    func podPlaylist(_ identifier: String, _ streamID: StreamID, query: String = "&pd=30000") throws -> Answer {
        let manifest = try multivariant(get(manifestPath(identifier, streamID, query: query)))
        return get(try #require(manifest.variants.first).uri)
    }

    func multivariant(_ answer: Answer) throws -> MultivariantPlaylist {
        guard case .multivariant(let playlist) = try Playlist(parsing: Array(answer.body.readableBytesView)) else {
            throw ClipError(description: "not a multivariant playlist")
        }
        return playlist
    }

    func media(_ answer: Answer) throws -> MediaPlaylist {
        guard case .media(let playlist) = try Playlist(parsing: Array(answer.body.readableBytesView)) else {
            throw ClipError(description: "not a media playlist")
        }
        return playlist
    }

    func fingerprint(_ answer: Answer, own: StreamID) -> UInt64 {
        answer.body.withUnsafeReadableBytes { MaskedBody.fingerprint($0, own: own) }
    }
}

@Suite struct OriginServiceTests {
    @Test func registrationAnswersWithTheDocumentedFields() throws {
        let probe = try ServiceProbe()
        let answer = probe.post(ServiceProbe.registrationPath, body: "cust_params=a%253Db&iu=%2F1")
        #expect(answer.status == .created)
        #expect(answer.fields[.contentType] == "application/json")
        let session = try probe.register()
        #expect(session.streamID?.rawValue.hasSuffix(":TUL") == true)
        #expect(session.manifestFormat == "hls")
        #expect(session.pollingFrequency == .seconds(10))
        #expect(session.validFor == .seconds(28_800))
        #expect(session.validUntil == probe.now + .seconds(28_800))
        for url in [
            session.mediaVerificationURL, session.metadataURL, session.sessionUpdateURL, session.podManifestURL,
        ] {
            #expect(url?.hasPrefix("http://127.0.0.1:8080/") == true)
        }
        #expect(session.mediaVerificationURL?.hasSuffix("/media/") == true)
    }

    @Test(arguments: [
        ("", false, 201), ("a=b", false, 201), ("{\"a\":1}", true, 201), ("{", true, 400), ("[]", true, 400),
    ])
    func registrationTakesFormsJSONAndNothing(body: String, isJSON: Bool, status: Int) throws {
        let answer = try ServiceProbe().post(ServiceProbe.registrationPath, body: body, isJSON: isJSON)
        #expect(answer.status.code == status)
    }

    @Test func hostileAuthorityIsNotRepeated() throws {
        let probe = try ServiceProbe()
        let head = HTTPRequest(method: .post, scheme: "http", authority: "a\"b", path: ServiceProbe.registrationPath)
        let exchange = probe.service.arrived(head, connection: ObjectIdentifier(probe), at: probe.now).exchange
        let answer = probe.service.answer(exchange, body: ByteBuffer(), isJSON: false)
        #expect(!String(buffer: answer.body).contains("a\"b"))
    }

    @Test func tokensAreAskedForWhereAKeyIsSet() throws {
        let probe = try ServiceProbe { $0.requireAuthTokenKey = "secret" }
        let expiry = String(probe.now.epochSeconds + 60)
        let event = ["custom_asset_key": "sgai-hls-live", "network_code": "21775744923", "exp": expiry]
        let register = PercentEncoding.encode(AuthToken.sign(fields: event, key: "secret"))
        #expect(probe.post(ServiceProbe.registrationPath).status == .unauthorized)
        let answer = probe.post(ServiceProbe.registrationPath, body: "auth-token=\(register)")
        #expect(answer.status == .created)
        let session = try answer.body.withUnsafeReadableBytes { bytes throws(AdServingError) in
            try StreamSession(json: bytes)
        }
        let streamID = try #require(session.streamID)
        #expect(probe.get(probe.manifestPath("pod/7", streamID)).status == .unauthorized)
        for (pod, status) in [("7", 200), ("8", 401)] {
            let fields = event.merging(["pod_id": pod, "pd": "30000"]) { first, _ in first }
            let token = PercentEncoding.encode(AuthToken.sign(fields: fields, key: "secret"))
            let path = probe.manifestPath("pod/7", streamID, query: "&pd=30000&auth-token=\(token)")
            #expect(probe.get(path).status.code == status)
        }
    }

    @Test(arguments: ["pod/7", "ad_break_id/never-seen-before"], [1, 10_000, 24_500, 30_000, 3_600_000])
    func podAddsUpToWhatWasAskedFor(identifier: String, milliseconds: Int) throws {
        let probe = try ServiceProbe()
        let streamID = try #require(try probe.register().streamID)
        let query = "&pd=\(milliseconds)"
        let manifest = try probe.multivariant(probe.get(probe.manifestPath(identifier, streamID, query: query)))
        #expect(manifest.variants.count == 2)
        #expect(manifest.independentSegments)
        var lengths: [[Int64]] = []
        for variant in manifest.variants {
            #expect(variant.bandwidth >= variant.averageBandwidth ?? .max)
            #expect(variant.codecs != nil && variant.width != nil)
            let playlist = try probe.media(probe.get(variant.uri))
            #expect(playlist.hasEndList)
            #expect(playlist.playlistType == .vod)
            #expect(playlist.durationMicroseconds == Int64(milliseconds) * 1_000)
            let discontinuities = playlist.segments.count { $0.isDiscontinuity }
            #expect(discontinuities == (milliseconds - 1) / 10_000)
            for segment in playlist.segments {
                #expect(playlist.uri(of: segment).contains("stream_id=\(streamID.percentEncoded)"))
                #expect(segment.mapURI != nil)
            }
            lengths.append(playlist.segments.map(\.durationMicroseconds))
            let last = try #require(playlist.segments.last)
            #expect(probe.get(playlist.uri(of: last)).status == .ok)
        }
        #expect(lengths[0] == lengths[1], "renditions of one pod must agree")
    }

    @Test func podIsTheSameForEverySessionAndDiffersByIdentifier() throws {
        let probe = try ServiceProbe()
        var hashes: [String: Set<UInt64>] = [:]
        for _ in 0..<5 {
            let streamID = try #require(try probe.register().streamID)
            for identifier in ["pod/1", "pod/2", "ad_break_id/break-1"] {
                let manifest = probe.fingerprint(probe.get(probe.manifestPath(identifier, streamID)), own: streamID)
                let playlist = probe.fingerprint(try probe.podPlaylist(identifier, streamID), own: streamID)
                hashes[identifier, default: []].formUnion([manifest, playlist])
            }
        }
        #expect(hashes.values.allSatisfy { $0.count == 2 }, "one manifest and one playlist each")
        #expect(Set(hashes.values.flatMap { $0 }).count == 6)
    }

    @Test func refusalsSayWhatIsWrong() throws {
        let probe = try ServiceProbe { $0.sessionValidity = .seconds(60) }
        let streamID = try #require(try probe.register().streamID)
        let base = "/linear/pods/v1/hls/network/21775744923/custom_asset/sgai-hls-live/pod/1.m3u8"
        #expect(probe.get(base).status == .badRequest)
        #expect(probe.get("\(base)?stream_id=unknown&pd=1000").status == .notFound)
        for duration in ["0", "-1", "x", "3600001", "99999999999999999999", ""] {
            #expect(probe.get(probe.manifestPath("pod/1", streamID, query: "&pd=\(duration)")).status == .badRequest)
        }
        #expect(probe.get(probe.manifestPath("pod/1", streamID, query: "")).status == .ok, "a durationless break")
        #expect(probe.get("/linear/pods/v1/hls/network/1/custom_asset/k/pod/1.m3u8").status == .notFound)
        #expect(probe.post("/live/main/multivariant.m3u8").status == .methodNotAllowed)
        #expect(probe.get(ServiceProbe.registrationPath).status == .methodNotAllowed)
        probe.now = probe.now + .seconds(60)
        #expect(probe.get(probe.manifestPath("pod/1", streamID)).status == .gone)
    }

    @Test func metadataListsTheAdsOfThePodsAskedFor() throws {
        let probe = try ServiceProbe()
        let session = try probe.register()
        let streamID = try #require(session.streamID)
        let path = try #require(session.metadataURL).replacing("http://127.0.0.1:8080", with: "")
        func metadata() throws -> SessionMetadata {
            try probe.get(path).body.withUnsafeReadableBytes { bytes throws(AdServingError) in
                try SessionMetadata(json: bytes)
            }
        }
        #expect(try metadata().tags.isEmpty)
        _ = probe.get(probe.manifestPath("ad_break_id/break-1", streamID, query: "&pd=25000"))
        let listed = try metadata()
        #expect(listed.ads.compactMap(\.duration) == [.seconds(10), .seconds(10), .seconds(5)])
        #expect(listed.adBreaks.map(\.id) == ["break-1"])
        #expect(listed.tags.count == 15)
        #expect(
            Set(listed.tags.map(\.type)) == ["start", "firstquartile", "midpoint", "thirdquartile", "complete"]
        )
        let adIDs = Set(listed.ads.map(\.id))
        #expect(listed.tags.allSatisfy { $0.adBreakID == "break-1" && adIDs.contains($0.adID ?? "") })
    }

    @Test func verificationIsRecordedOnce() throws {
        for (share, status) in [(0.0, 204), (1.0, 202)] {
            let probe = try ServiceProbe { $0.deferredVerificationShare = share }
            let session = try probe.register()
            let streamID = try #require(session.streamID)
            _ = probe.get(probe.manifestPath("pod/3", streamID))
            let base = try #require(session.mediaVerificationURL).replacing("http://127.0.0.1:8080", with: "")
            let decision = probe.service.pods.decision(identifier: "pod/3", salt: 0)
            let mediaID = MediaTag(decision: decision.mediaNumber, ad: 0, event: .start).mediaID
            #expect(probe.get(base + mediaID).status.code == status)
            #expect(probe.get(base + mediaID).status == .notFound)
            #expect(probe.get(base + "google_unknown").status == .notFound)
        }
    }

    @Test func everyRequestIsCountedAsItsKind() throws {
        let probe = try ServiceProbe()
        let session = try probe.register(viewer: 1)
        let streamID = try #require(session.streamID)
        _ = probe.get("/live/main/multivariant.m3u8", viewer: 1)
        _ = probe.get("/live/main/180p/media.m3u8", viewer: 1)
        _ = probe.get("/live/main/180p/init.mp4", viewer: 1)
        _ = try probe.podPlaylist("pod/9", streamID)
        _ = probe.get("/nowhere", viewer: 1)
        _ = probe.get("/origin/health")
        let truth = probe.service.truth(at: probe.now)
        let received = truth.requests.mapValues(\.received).filter { $0.value > 0 }
        #expect(
            received == [
                "registration": 1, "multivariant": 1, "playlist": 1, "segment": 1, "pod_manifest": 1,
                "pod_playlist": 1, "other": 1,
            ]
        )
        #expect(truth.breaks["2026-11-21T08:12:00.000Z"]?.identifiers == ["pod/9": 1])
        #expect(truth.connections.sharedBetweenSessions == 0)
        #expect(truth.viewers.seen == 1)
    }

    @Test func livePlaylistAndItsSegmentsAreThere() throws {
        let probe = try ServiceProbe()
        let manifest = try probe.multivariant(probe.get("/live/main/multivariant.m3u8"))
        #expect(manifest.variants.map(\.uri) == ["360p/media.m3u8", "180p/media.m3u8"])
        for variant in manifest.variants {
            let answer = probe.get("/live/main/\(variant.uri)")
            #expect(answer.fields[.contentType] == "application/vnd.apple.mpegurl")
            #expect(answer.fields[.cacheControl] == "max-age=1")
            let playlist = try probe.media(answer)
            let folder = variant.uri.dropLast("media.m3u8".count)
            for segment in playlist.segments {
                let segment = probe.get("/live/main/\(folder)\(playlist.uri(of: segment))")
                #expect(segment.status == .ok && segment.body.readableBytes > 1_000)
                #expect(segment.fields[.contentType] == "video/mp4")
            }
            let next = playlist.mediaSequence + UInt64(playlist.segments.count)
            #expect(probe.get("/live/main/\(folder)\(next).m4s").status == .notFound, "not complete yet")
        }
    }
}
