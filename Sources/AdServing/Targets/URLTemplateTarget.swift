import HLS
import Values

/// Any target with URL templates: a session or none, a channel, and pods if the client schedules its own breaks.
package struct URLTemplateTarget: Hashable, Sendable {
    package struct Session: Hashable, Sendable {
        package var method: SessionRequest.Method
        package var url: URLTemplate
        /// Filled as a form or as JSON, depending on `contentType`.
        package var body: URLTemplate?
        package var contentType: String
        package var streamID: JSONPointer
        /// Location of the session's own content URL; nil if the template forms it.
        package var content: JSONPointer?

        package init(
            method: SessionRequest.Method,
            url: URLTemplate,
            body: URLTemplate? = nil,
            contentType: String = WireName.jsonContentType,
            streamID: JSONPointer,
            content: JSONPointer? = nil
        ) {
            self.method = method
            self.url = url
            self.body = body
            self.contentType = contentType
            self.streamID = streamID
            self.content = content
        }
    }

    package var session: Session?
    /// Nil if the session's answer contains the URL.
    package var content: URLTemplate?
    /// Nil if only the channel schedules breaks.
    package var pod: URLTemplate?
    /// Statuses of playlist and asset list requests that mean that the session has ended.
    package var sessionEndStatuses: Set<Int>

    package init(session: Session?, content: URLTemplate?, pod: URLTemplate?, sessionEndStatuses: Set<Int> = []) {
        self.session = session
        self.content = content
        self.pod = pod
        self.sessionEndStatuses = sessionEndStatuses
    }

    var contentNeedsSession: Bool {
        session?.content != nil || content?.placeholders.contains(.streamID) == true
    }

    func sessionRequest(of viewer: ViewerIdentity) -> SessionRequest? {
        guard let session else { return nil }
        let values = viewer.values
        let isForm = session.contentType == WireName.formContentType
        return SessionRequest(
            session.method,
            url: session.url.url(values),
            body: session.method == .get ? nil : session.body.map { isForm ? $0.url(values) : $0.json(values) } ?? "",
            contentType: session.method == .get ? nil : session.contentType
        )
    }

    func session(json: UnsafeRawBufferPointer, from url: String) throws(AdServingError) -> StreamSession {
        var answer = StreamSession()
        guard let session else { return answer }
        let document = JSONValue.object(try JSONValue.object(in: json))
        let streamID = session.streamID.text(in: document)
        try StreamSession.checkText(streamID)
        answer.streamID = streamID.map { StreamID($0) }
        if let pointer = session.content, let reference = pointer.text(in: document) {
            try StreamSession.checkText(reference)
            answer.contentURL = URLReference.resolve(reference, against: url)
        }
        return answer
    }

    func contentURL(of viewer: ViewerIdentity, streamID: StreamID?) -> String? {
        guard session?.content == nil else { return nil }
        var values = viewer.values
        values[.streamID] = streamID?.rawValue
        return content?.url(values)
    }

    package func podURL(
        of viewer: ViewerIdentity,
        streamID: StreamID,
        breakID: String,
        startSeconds: Int64,
        durationMilliseconds: Int64,
        scte35: String? = nil
    ) -> String? {
        var values = viewer.values
        values[.streamID] = streamID.rawValue
        values[.breakID] = breakID
        values[.start] = String(startSeconds)
        values[.durationMilliseconds] = String(durationMilliseconds)
        values[.scte35] = scte35
        return pod?.url(values)
    }
}
