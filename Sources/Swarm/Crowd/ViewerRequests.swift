import AdServing
import Profile
import Transport
import Values
import Viewer

/// Requests sent often or at a break's instant are prepared; confined to its loop.
final class ViewerRequests {
    /// Enough for one channel's variants; a target with URLs for each session must not fill the memory.
    private static let keptRequests = 64
    private static let keptLists = 1_024

    private static let ofStreamID = "{\(Placeholders.streamID)}"

    private struct Key: Hashable {
        let url: String
        /// Identifier of a kept list, or of `ViewerRequests` itself.
        let headers: ObjectIdentifier
    }

    private let plan: ViewerPlan
    private let clock: any LoopClock
    private let clientData: ClientData?
    private let fields: [(name: String, value: String)]
    private let identifiesViewers: Bool
    private let areAlike: Bool
    private let tellsStreamID: Bool
    private let sharesLists: Bool
    private var lists: [[String]: HeaderList] = [:]
    /// Requests of all viewers of the loop, without anything of one viewer.
    private var known: [Key: PreparedRequest] = [:]

    /// `identifiesViewers` adds a header with the viewer's number.
    init(_ plan: ViewerPlan, _ connection: ConnectionPlan, identifiesViewers: Bool, clock: any LoopClock) {
        (self.plan, self.clock, self.identifiesViewers) = (plan, clock, identifiesViewers)
        clientData = connection.clientData.map(ClientData.init)
        fields = connection.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        let named = fields.reduce(into: Set()) { $0.formUnion(plan.traits.placeholders(in: $1.value)) }
        areAlike = named.isEmpty
        tellsStreamID = named.contains(Placeholders.streamID)
        sharesLists = !identifiesViewers && plan.traits.areShared(named)
    }

    func request(_ role: ViewerRole, url: String, _ viewer: ViewerSlot) -> PreparedRequest {
        switch role {
        case .podManifest, .podRepeat:
            guard let prepared = viewer.podRequest, viewer.podURL == url else { break }
            // One with a viewer's own headers is not kept while its answer is awaited.
            if viewer.headers == nil { viewer.podRequest = nil }
            return prepared
        case .metadata: return metadataRequest(url: url, viewer)
        case .registration: return sessionRequest(url: url, viewer)
        case .sessionUpdate:
            return posted(plan.sessionUpdate(of: viewer.machine.number, url: url, now: wallNow), viewer)
        case .playlist, .blockingPlaylist: return sharedRequest(role, url: url, viewer)
        case .multivariant, .podPlaylist, .podRepeatPlaylist, .segment, .podSegment, .verification: break
        case .assetList, .assetManifest, .beacon, .part, .steering, .key, .preflight: break
        }
        return made(role, url: url, viewer)
    }

    func preparePod(url: String, _ viewer: ViewerSlot) {
        viewer.podRequest = made(.podManifest, url: url, viewer)
        viewer.podURL = url
    }

    private func metadataRequest(url: String, _ viewer: ViewerSlot) -> PreparedRequest {
        if let page = viewer.machine.session.page { return posted(URLTemplateTarget.page(page, of: url), viewer) }
        guard viewer.headers != nil else { return made(.metadata, url: url, viewer) }
        if let prepared = viewer.metadataRequest, prepared.url == url { return prepared }
        let prepared = made(.metadata, url: url, viewer)
        viewer.metadataRequest = prepared
        return prepared
    }

    private func made(_ role: ViewerRole, url: String, _ viewer: ViewerSlot) -> PreparedRequest {
        let told = clientData?.told(role, url: url, by: plan.identity(of: viewer.machine.number))
        let fields = told?.fields ?? []
        return PreparedRequest(url: told?.url ?? url, headers: headers(url: url, fields, viewer))
    }

    private func sharedRequest(_ role: ViewerRole, url: String, _ viewer: ViewerSlot) -> PreparedRequest {
        guard clientData == nil, cookies(for: url, viewer) == nil else { return made(role, url: url, viewer) }
        guard let list = viewer.headers else {
            let (number, id) = (viewer.machine.number, streamID(of: viewer))
            // Never sent itself.
            let bare = known(url: url, headers: nil, under: ObjectIdentifier(self))
            return bare.sending { [self] in HeaderList(fields(viewer: number, id)) }
        }
        guard !identifiesViewers, lists.count < Self.keptLists else { return PreparedRequest(url: url, headers: list) }
        return known(url: url, headers: list, under: ObjectIdentifier(list))
    }

    private func known(url: String, headers: HeaderList?, under identifier: ObjectIdentifier) -> PreparedRequest {
        let key = Key(url: url, headers: identifier)
        if let request = known[key] { return request }
        let request = PreparedRequest(url: url, headers: headers)
        known.keep(request, for: key, atMost: Self.keptRequests * max(1, lists.count))
        return request
    }

    /// nil for a viewer's own values, which follow from the seed and its number, so that they are made for each request.
    func keptHeaders(viewer number: Int) -> HeaderList? {
        guard sharesLists else { return areAlike ? HeaderList(fields(viewer: number)) : nil }
        let fields = fields(viewer: number)
        let values = fields.map(\.value)
        if let list = lists[values] { return list }
        guard lists.count < Self.keptLists, let list = HeaderList(fields) else { return nil }
        lists[values] = list
        return list
    }

    /// Omits headers with the id of a session before there is a session.
    private func fields(viewer number: Int, _ streamID: StreamID? = nil) -> [(name: String, value: String)] {
        var fields = self.fields
        if !areAlike {
            var viewer = plan.traits.identity(ofViewer: number)
            viewer.streamID = streamID
            if tellsStreamID, streamID == nil { fields.removeAll { $0.value.contains(Self.ofStreamID) } }
            for index in fields.indices { fields[index].value = viewer.filled(fields[index].value) }
        }
        return identifiesViewers ? fields + [(WireName.viewerHeader, String(number))] : fields
    }

    private func headers(
        url: String,
        _ more: [(name: String, value: String)],
        _ viewer: ViewerSlot
    ) -> HeaderList? {
        let cookies = cookies(for: url, viewer)
        if let list = viewer.headers, cookies == nil, more.isEmpty { return list }
        let fields = fields(viewer: viewer.machine.number, streamID(of: viewer))
        return HeaderList(fields + more, cookies: cookies) ?? HeaderList(fields)
    }

    /// nil where no header has it.
    private func streamID(of viewer: ViewerSlot) -> StreamID? { tellsStreamID ? viewer.machine.streamID : nil }

    func cookies(for url: String, _ viewer: ViewerSlot) -> String? {
        viewer.cookies.isEmpty ? nil : viewer.cookies.field(for: url, now: wallNow.epochSeconds)
    }

    private var wallNow: WallTime { plan.timebase.wall(at: clock.now) }

    /// Discards prepared requests without the new cookies.
    func keepCookies(of result: borrowing TransferResult, _ viewer: ViewerSlot) {
        guard viewer.cookies.take(result, now: wallNow.epochSeconds) else { return }
        viewer.playlistRequest = nil
        viewer.metadataRequest = nil
        if viewer.podRequest != nil { preparePod(url: viewer.podURL, viewer) }
    }

    /// Prepared once for each variant.
    func pollRequest(_ viewer: ViewerSlot) -> PreparedRequest {
        guard viewer.headers != nil else { return sharedRequest(.playlist, url: viewer.machine.playlistURL, viewer) }
        let index = viewer.machine.requestIndex(of: .video)
        if let known = viewer.playlistRequest, viewer.playlistIndex == index { return known }
        let request = sharedRequest(.playlist, url: viewer.machine.playlistURL, viewer)
        viewer.playlistRequest = request
        viewer.playlistIndex = index
        return request
    }

    /// Made when it is sent: a token in it counts from now.
    private func sessionRequest(url: String, _ viewer: ViewerSlot) -> PreparedRequest {
        let asked = plan.sessionRequest(
            of: viewer.machine.number,
            server: viewer.machine.session.server,
            isUpdated: viewer.machine.session.hasUpdated,
            now: wallNow
        )
        guard var asked, asked.method == .post else { return made(.registration, url: url, viewer) }
        asked.url = url
        return posted(asked, viewer)
    }

    private func posted(_ asked: SessionRequest, _ viewer: ViewerSlot) -> PreparedRequest {
        let type = asked.contentType.map { [(name: "content-type", value: $0)] } ?? []
        let headers = headers(url: asked.url, type, viewer)
        return PreparedRequest(.post, url: asked.url, headers: headers, body: Array((asked.body ?? "").utf8))
    }
}

/// Common Media Client Data (CTA-5004), without keys of a player's buffer and renditions (`bl`, `br`, `mtp`, `nor` and others).
struct ClientData: Sendable {
    private let plan: ClientDataPlan

    init(_ plan: ClientDataPlan) { self.plan = plan }

    func told(
        _ role: ViewerRole,
        url: String,
        by viewer: ViewerIdentity
    ) -> (url: String, fields: [(name: String, value: String)]) {
        guard let type = Self.objectType(of: role) else { return (url, []) }
        var session = ["sf=h", "sid=\(Self.quoted(viewer.primaryID))", "st=l"]
        if let content = plan.contentID { session.insert("cid=\(Self.quoted(viewer.filled(content)))", at: 0) }
        switch plan.carriage {
        case .header:
            return (url, [("CMCD-Object", "ot=\(type)"), ("CMCD-Session", session.joined(separator: ","))])
        case .query:
            // In alphabetical order, so that the same data are the same bytes.
            let value = (session + ["ot=\(type)"]).sorted().joined(separator: ",")
            let sign = url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
            return ("\(url)\(sign)CMCD=\(PercentEncoding.encode(value))", [])
        }
    }

    /// Segments are muxed (`av`); nil for requests outside of the stream.
    private static func objectType(of role: ViewerRole) -> String? {
        switch role {
        case .multivariant, .playlist, .blockingPlaylist, .podManifest, .podRepeat, .podPlaylist: "m"
        case .podRepeatPlaylist, .assetManifest: "m"
        case .segment, .podSegment, .part: "av"
        case .assetList: "o"
        case .key: "k"
        case .registration, .metadata, .verification, .beacon, .steering, .sessionUpdate, .preflight: nil
        }
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.prefix(64).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}
