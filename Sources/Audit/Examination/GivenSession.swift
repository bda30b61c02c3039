import AdServing
import Viewer

extension Examination {
    func noteSession(_ id: StreamID?) {
        if let id { context.sessions.add(id.rawValue, viewer: viewer.number) }
        noteCookie()
    }

    /// Records the sessions in the channel's URL, its playlist and its cookies, for targets without registrations.
    func notePersonalSessions() {
        noteSession(viewer.facts.streamID)
        var url = answer.url
        let stated = url.withUTF8 { StatedSession.ids(in: UnsafeRawBufferPointer($0)) }
        for id in stated + StatedSession.ids(in: answer.body) { context.sessions.add(id, viewer: viewer.number) }
    }

    private func noteCookie() {
        let (number, names) = (viewer.number, context.plan.sessionCookies)
        answer.readHeader("set-cookie") { value in
            if let id = StatedSession.id(inCookie: value, named: names) { context.sessions.add(id, viewer: number) }
        }
    }
}
