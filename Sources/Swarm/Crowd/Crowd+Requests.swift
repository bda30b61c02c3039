import AdServing
import Audience
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
            if let prepared = viewer.podRequest, prepared.url == url {
                return prepared
            }
        case .metadata:
            if let prepared = viewer.metadataRequest, prepared.url == url {
                return prepared
            }
            let prepared = PreparedRequest(url: url, headers: viewer.headers)
            viewer.metadataRequest = prepared
            return prepared
        case .registration: return sessionRequest(url: url, viewer)
        case .playlist, .blockingPlaylist: return shared.request(url: url, headers: viewer.headers)
        case .multivariant, .podPlaylist, .podRepeatPlaylist, .segment, .podSegment, .verification: break
        case .assetList, .assetManifest, .beacon, .part, .steering: break
        }
        return PreparedRequest(url: url, headers: viewer.headers)
    }

    /// The poll of a viewer, prepared once for each variant that it plays.
    func pollRequest(_ viewer: ViewerSlot) -> PreparedRequest {
        let generation = viewer.machine.generation(of: .video)
        if let known = viewer.playlistRequest, viewer.playlistGeneration == generation { return known }
        let request = shared.request(url: viewer.machine.playlistURL, headers: viewer.headers)
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
        guard let asked, asked.method == .post else { return PreparedRequest(url: url, headers: viewer.headers) }
        var headers = viewer.headers
        if let contentType = asked.contentType {
            headers = HeaderList(shared.fields(viewer: viewer.machine.number) + [("content-type", contentType)])
        }
        return PreparedRequest(.post, url: url, headers: headers, body: Array((asked.body ?? "").utf8))
    }
}
