import AdServing
import HLS
import HTTPTypes
import NIOCore
import Profile
import Testing

@testable import Origin

/// An origin without sockets, at an instant of its own.
final class ServiceProbe {
    private final class Connection {}

    let service: OriginService
    private let connection = Connection()
    /// 2026-11-21T08:12:10Z, ten seconds after the start of the break with number 1 of a schedule each minute.
    var now = WallTime(microseconds: 1_795_248_730_000_000)

    init(faults: String = "", channel: String = "", _ change: (inout OriginConfiguration) -> Void = { _ in }) throws {
        var configuration = OriginConfiguration()
        change(&configuration)
        try configuration.validate()
        let channelPlan = try ChannelPlan.read(channel)
        try channelPlan.validate(on: configuration)
        service = try OriginService(
            configuration,
            plan: try FaultPlan.read(faults, seed: configuration.seed),
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

    func register(_ body: String = "", viewer: UInt64? = nil) throws -> StreamSession {
        let answer = post(Self.registrationPath, body: body, viewer: viewer)
        return try Array(answer.body.readableBytesView).withUnsafeBytes { try StreamSession(json: $0) }
    }

    func streamID(_ body: String = "", viewer: UInt64? = nil) throws -> StreamID {
        try #require(try register(body, viewer: viewer).streamID)
    }

    func metadata(of session: StreamSession) throws -> SessionMetadata {
        let answer = get(try path(session.metadataURL))
        return try Array(answer.body.readableBytesView).withUnsafeBytes { try SessionMetadata(json: $0) }
    }

    /// The path of a URL of this origin.
    func path(_ url: String?) throws -> String {
        let base = "http://127.0.0.1:8080"
        let url = try #require(url)
        #expect(url.hasPrefix(base), "absolute, as the client asked for it")
        return String(url.dropFirst(base.count))
    }

    func json(_ answer: Answer) throws -> TestJSON {
        #expect(answer.status == .ok && answer.fields[.contentType] == "application/json")
        return try TestJSON(Array(answer.body.readableBytesView))
    }

    func assetList(_ path: String, viewer: UInt64? = nil) throws -> AssetList {
        try AssetList(parsing: Array(get(path, viewer: viewer).body.readableBytesView))
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

    /// Replaces references to variables where `url` is known.
    func multivariant(_ answer: Answer, url: String? = nil) throws -> MultivariantPlaylist {
        let body = Array(answer.body.readableBytesView)
        let replaced = try url.map { url in try body.withUnsafeBytes { try Playlist.parse($0, url: url) } }
        guard case .multivariant(let playlist) = try replaced ?? Playlist(parsing: body) else {
            throw ClipError(description: "not a multivariant playlist")
        }
        return playlist
    }

    func media(_ answer: Answer) throws -> MediaPlaylist { try .reading(Array(answer.body.readableBytesView)) }

    func fingerprint(_ answer: Answer, own: StreamID) -> UInt64 {
        answer.body.withUnsafeReadableBytes { MaskedBody.fingerprint($0, own: own) }
    }
}

extension MediaPlaylist {
    /// The body must be a media playlist.
    static func reading(_ bytes: [UInt8]) throws -> MediaPlaylist {
        guard case .media(let playlist) = try Playlist(parsing: bytes) else {
            throw ClipError(description: "not a media playlist")
        }
        return playlist
    }
}
