import HLS

/// A target's requests: a session or none, a channel, and pods if the client schedules its own breaks.
package struct URLTemplateTarget: Hashable, Sendable {
    package struct Session: Hashable, Sendable {
        package var url: String
        package var method: SessionRequest.Method
        /// Filled as a form or as JSON, depending on `contentType`.
        package var body: String?
        package var contentType: String
        /// JSON pointer into the answer (RFC 6901), such as `/session/id`; nil takes MediaTailor's id in the content URL.
        package var streamID: String?
        /// Pointer to the session's own content URL; nil if the template forms it.
        package var content: String?
        /// Pointer to the URL of avails that the client reports.
        package var tracking: String?

        package init(
            url: String = "",
            method: SessionRequest.Method = .post,
            body: String? = nil,
            contentType: String = WireName.jsonContentType,
            streamID: String? = nil,
            content: String? = nil,
            tracking: String? = nil
        ) {
            (self.url, self.method, self.body, self.contentType) = (url, method, body, contentType)
            (self.streamID, self.content, self.tracking) = (streamID, content, tracking)
        }
    }

    package var session: Session?
    /// Nil if the session's answer contains the URL.
    package var content: String?
    /// Nil if only the channel schedules breaks.
    package var pod: String?
    /// Statuses of playlists and asset lists that mean that the viewer's session has ended.
    package var sessionEnds: [Int]
    /// Reporting is the application's work with any player.
    package var isReportedByClient = false
    /// Whether avails are asked for by the token of the answer before.
    package var pagesAvails = false

    package init(session: Session? = nil, content: String? = nil, pod: String? = nil, sessionEnds: [Int] = []) {
        (self.session, self.content, self.pod, self.sessionEnds) = (session, content, pod, sessionEnds)
    }

    /// Asks a tracking URL for what is new (MediaTailor user guide, "Paging through ad beacons with GetTracking").
    package static func page(_ token: String, of url: String) -> SessionRequest {
        let body = #"{"NextToken":"\#(JSONValue.escaped(token))"}"#
        return SessionRequest(.post, url: url, body: body, contentType: WireName.jsonContentType)
    }

    package var contentNeedsSession: Bool {
        session?.content != nil || content?.contains("{\(Placeholders.streamID)}") == true
    }

    package func sessionRequest(of viewer: ViewerIdentity) -> SessionRequest? {
        guard let session else { return nil }
        let url = viewer.filled(url: session.url)
        guard session.method == .post else { return SessionRequest(.get, url: url) }
        let isForm = session.contentType == WireName.formContentType
        let body = session.body.map { isForm ? viewer.filled(url: $0) : viewer.filled($0, encode: JSONValue.escaped) }
        return SessionRequest(.post, url: url, body: body ?? "", contentType: session.contentType)
    }

    /// Resolves relative URLs against `url`.
    ///
    /// Metadata and pings are those that the answer gives under Google's names (Ad Manager, "Manage DAI livestreams").
    package func session(json: UnsafeRawBufferPointer, from url: String) throws(AdServingError) -> StreamSession {
        guard let session else { return StreamSession() }
        let members = try JSONValue.object(in: json)
        // MediaTailor's answer, which alone has no pointer to an id, has none of these names.
        var answer = try session.streamID == nil ? StreamSession() : StreamSession(members)
        // The playlist that plays is the session's own: it is left when the target ends it, not renewed.
        (answer.validUntil, answer.validFor) = (nil, nil)
        let document = JSONValue.object(members)
        func address(at pointer: String) throws(AdServingError) -> String? {
            guard let reference = document.member(at: pointer)?.text, !reference.isEmpty else { return nil }
            try StreamSession.checkText(reference)
            return URLReference.resolve(reference, against: url)
        }
        if let content = session.content { answer.contentURL = try address(at: content) }
        if let tracking = session.tracking { answer.metadataURL = try address(at: tracking) }
        let id = session.streamID.map { document.text(at: $0) } ?? answer.contentURL.map(Self.sessionID)
        try StreamSession.checkText(id)
        answer.streamID = id.map { StreamID($0) }
        return answer
    }

    /// MediaTailor's session id in a playlist's URL, or that URL without one.
    private static func sessionID(in contentURL: String) -> String {
        let id = URLQuery(of: contentURL).value(of: WireName.MediaTailor.sessionIDParameter) ?? ""
        return id.isEmpty ? contentURL : id
    }

    /// Nil if `StreamSession.contentURL` applies.
    package func contentURL(of viewer: ViewerIdentity, streamID: StreamID?) -> String? {
        guard session?.content == nil else { return nil }
        return content.map { viewer.filled(url: $0, [Placeholders.streamID: streamID?.rawValue]) }
    }

    package func podURL(
        of viewer: ViewerIdentity,
        streamID: StreamID,
        breakID: String,
        startSeconds: Int64,
        durationMilliseconds: Int64,
        scte35: String? = nil
    ) -> String? {
        let values = [
            Placeholders.streamID: streamID.rawValue, "break": breakID, "start": String(startSeconds),
            "duration_ms": String(durationMilliseconds), "scte35": scte35,
        ]
        return pod.map { viewer.filled(url: $0, values) }
    }
}

extension JSONValue {
    /// Text or whole number at a pointer (RFC 6901), such as `/session/id`.
    func text(at pointer: String) -> String? {
        switch member(at: pointer) {
        case .string(let text): text.isEmpty ? nil : text
        case .number(let number): Int64(exactly: number).map { String($0) }
        default: nil
        }
    }

    fileprivate func member(at pointer: String) -> JSONValue? {
        var value = self
        for token in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let name = String(token).replacing("~1", with: "/").replacing("~0", with: "~")
            switch value {
            case .object(let members):
                guard let next = members[name] else { return nil }
                value = next
            case .array(let elements):
                guard let index = Int(name), String(index) == name, elements.indices.contains(index) else { return nil }
                value = elements[index]
            default: return nil
            }
        }
        return value
    }

    fileprivate static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 0x20: result += "\\u" + scalar.value.hexadecimal(digits: 4)
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
