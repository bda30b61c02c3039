import Audience
import Audit
import Origin
import Time
import Viewer

// What an answer tells the viewer who asked.
extension DryRun {
    func understood(_ request: OpenRequest, _ viewer: DryViewer, now: Instant) -> ViewerEvent {
        guard request.role.keepsBody, let answer = request.fetched.answer else {
            return examine(UnsafeRawBufferPointer(start: nil, count: 0), request, viewer, now: now)
        }
        var event: ViewerEvent?
        answer.readBody { body in
            event =
                repeated(body, request, viewer)
                ?? known(body, request)
                ?? examine(body, request, viewer, now: now)
            if let event { metadata.keep(event, of: body) }
        }
        return event ?? .requestFinished(request.role, index: request.number, succeeded: false)
    }

    /// What nearly all polls bring: the version that the viewer has.
    private func repeated(
        _ body: UnsafeRawBufferPointer,
        _ request: OpenRequest,
        _ viewer: DryViewer
    ) -> ViewerEvent? {
        guard
            request.role == .playlist, request.fetched.isSuccess, request.fetched.redirects == 0,
            let poll = viewer.machine.poll(ofRequest: request.number),
            auditor.repeated(
                body,
                after: poll.latest,
                unchanged: request.sentAt &- poll.changedAt,
                viewer.record
            )
        else { return nil }
        return .playlist(poll.latest, plannedAt: request.plannedAt, index: request.number, age: -1)
    }

    /// Metadata that other sessions were given too: reading it costs more than all else of a poll.
    private func known(_ body: UnsafeRawBufferPointer, _ request: OpenRequest) -> ViewerEvent? {
        guard request.role == .metadata, request.fetched.isSuccess else { return nil }
        return metadata.event(of: body)
    }

    private func examine(
        _ body: UnsafeRawBufferPointer,
        _ request: OpenRequest,
        _ viewer: DryViewer,
        now: Instant
    ) -> ViewerEvent {
        let fetched = request.fetched
        return auditor.examine(
            Answer(
                request.role,
                index: request.number,
                breakSerial: request.serial,
                status: fetched.status,
                body: body,
                url: fetched.url,
                redirects: fetched.redirects,
                plannedAt: request.plannedAt,
                sentAt: request.sentAt,
                firstByteAt: now,
                doneAt: now,
                headers: fetched.answer.map(DryHeaders.init)
            ),
            facts: viewer.machine.facts,
            viewer.record
        )
    }
}
