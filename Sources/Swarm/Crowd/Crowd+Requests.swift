import AdServing
import Audience
import Cookies
import EventLoop
import Time
import Transport
import Viewer

// How requests are made: prepared before where they are sent often, or at a break's instant.
extension Crowd {
    func start(
        _ role: ViewerRole,
        _ request: PreparedRequest,
        plannedAt: Instant,
        request number: UInt8 = 0,
        breakSerial: UInt16 = 0,
        keepsBody: Bool,
        _ viewer: ViewerSlot,
        index: Int
    ) {
        transport.start(
            TransferRequest(
                tracing.isOn ? traced(request, role, viewer) : request,
                owner: viewer.owner,
                plannedAt: plannedAt,
                token: CrowdToken(
                    index: index,
                    detail: role.rawValue,
                    breakSerial: breakSerial,
                    request: number
                ).rawValue,
                keepBody: keepsBody,
                limits: limits[viewer.machine.personaIndex, role]
            )
        )
    }

    /// The request of a role: prepared before where it is sent often or at a break's instant.
    func request(_ role: ViewerRole, url: String, _ viewer: ViewerSlot) -> PreparedRequest {
        switch role {
        case .podManifest, .podRepeat:
            if let prepared = viewer.podRequest, viewer.podURL == url { return prepared }
        case .metadata:
            if let prepared = viewer.metadataRequest, prepared.url == url {
                return prepared
            }
            let prepared = made(role, url: url, viewer)
            viewer.metadataRequest = prepared
            return prepared
        case .registration: return sessionRequest(url: url, viewer)
        case .playlist, .blockingPlaylist: return sharedRequest(role, url: url, viewer)
        case .multivariant, .podPlaylist, .podRepeatPlaylist, .segment, .podSegment, .verification: break
        case .assetList, .assetManifest, .beacon, .part, .steering: break
        }
        return made(role, url: url, viewer)
    }

    /// Makes the pod request of the viewer's next break, before its instant.
    func preparePod(url: String, _ viewer: ViewerSlot) {
        viewer.podRequest = made(.podManifest, url: url, viewer)
        viewer.podURL = url
    }

    /// A request with what the viewer says in all of them and of this one, and the cookies that its server set.
    private func made(_ role: ViewerRole, url: String, _ viewer: ViewerSlot) -> PreparedRequest {
        let told = clientData?.told(role, url: url, by: plan.identity(of: viewer.machine.number))
        let fields = told?.fields ?? []
        let headers = headers(url: url, fields, viewer) ?? viewer.headers
        return PreparedRequest(url: told?.url ?? url, headers: headers)
    }

    /// The same, one for all viewers who say the same.
    private func sharedRequest(_ role: ViewerRole, url: String, _ viewer: ViewerSlot) -> PreparedRequest {
        guard clientData == nil, headers(url: url, [], viewer) == nil else { return made(role, url: url, viewer) }
        return shared.request(url: url, headers: viewer.headers)
    }

    /// Headers that are not those of all the viewer's requests; nil where there are none for this URL.
    private func headers(
        url: String,
        _ more: [(name: String, value: String)],
        _ viewer: ViewerSlot
    ) -> HeaderList? {
        let cookies = cookies(for: url, viewer)
        guard cookies != nil || !more.isEmpty else { return nil }
        return HeaderList(shared.fields(viewer: viewer.machine.number) + more, cookies: cookies)
    }

    private func cookies(for url: String, _ viewer: ViewerSlot) -> String? {
        guard !viewer.cookies.isEmpty, let place = CookiePlace(url: url) else { return nil }
        return viewer.cookies.field(for: place, now: cookieSeconds)
    }

    private var cookieSeconds: Int64 { plan.timebase.wall(at: MonotonicClock.now()).microseconds / 1_000_000 }

    /// Keeps the cookies that an answer sets; what was prepared without them is made anew.
    func keepCookies(of result: borrowing TransferResult, _ viewer: ViewerSlot) {
        var hasCookies = false
        result.readHeader("set-cookie") { hasCookies = $0 != nil }
        guard hasCookies, let place = CookiePlace(url: result.effectiveURL) else { return }
        let now = cookieSeconds
        var isChanged = false
        result.copyHead().readEach("set-cookie") { value in
            isChanged = viewer.cookies.take(String(decoding: value, as: UTF8.self), from: place, now: now) || isChanged
        }
        guard isChanged else { return }
        viewer.playlistRequest = nil
        viewer.metadataRequest = nil
        if viewer.podRequest != nil { preparePod(url: viewer.podURL, viewer) }
    }

    /// The poll of a viewer, prepared once for each variant that it plays.
    func pollRequest(_ viewer: ViewerSlot) -> PreparedRequest {
        let generation = viewer.machine.generation(of: .video)
        if let known = viewer.playlistRequest, viewer.playlistGeneration == generation { return known }
        let request = sharedRequest(.playlist, url: viewer.machine.playlistURL, viewer)
        viewer.playlistRequest = request
        viewer.playlistGeneration = generation
        return request
    }

    /// The request for a session, made when it is sent: a token in it counts from now.
    private func sessionRequest(url: String, _ viewer: ViewerSlot) -> PreparedRequest {
        let asked = plan.sessionRequest(
            of: viewer.machine.number,
            server: viewer.machine.registrationServer,
            now: plan.timebase.wall(at: MonotonicClock.now())
        )
        guard let asked, asked.method == .post else { return made(.registration, url: url, viewer) }
        let type = asked.contentType.map { [(name: "content-type", value: $0)] } ?? []
        let headers = headers(url: url, type, viewer) ?? viewer.headers
        return PreparedRequest(.post, url: url, headers: headers, body: Array((asked.body ?? "").utf8))
    }
}
