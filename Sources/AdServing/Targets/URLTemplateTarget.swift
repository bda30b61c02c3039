import HLS

/// Any target with URL templates: a session or none, a channel, and pods if the client schedules its own breaks.
package struct URLTemplateTarget: Hashable, Sendable {
    package struct Session: Hashable, Sendable {
        package var method: SessionRequest.Method
        package var url: URLTemplate
        /// Filled as a form or as JSON, depending on `contentType`.
        package var body: URLTemplate?
        package var contentType = WireName.jsonContentType
        package var streamID: JSONPointer
        /// Location of the session's own content URL; nil if the template forms it.
        package var content: JSONPointer?
    }

    package var session: Session?
    /// Nil if the session's answer contains the URL.
    package var content: URLTemplate?
    /// Nil if only the channel schedules breaks.
    package var pod: URLTemplate?
    /// Statuses of playlist and asset list requests.
    package var sessionEndStatuses: Set<Int>

    package init(session: Session?, content: URLTemplate?, pod: URLTemplate?, sessionEndStatuses: Set<Int> = []) {
        (self.session, self.content, self.pod) = (session, content, pod)
        self.sessionEndStatuses = sessionEndStatuses
    }

    var contentNeedsSession: Bool { session?.content != nil || content?.placeholders.contains(.streamID) == true }

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

    /// Metadata and pings are those that the answer gives under Google's names (Ad Manager, "Manage DAI livestreams").
    func session(json: UnsafeRawBufferPointer, from url: String) throws(AdServingError) -> StreamSession {
        guard let session else { return StreamSession() }
        var answer = try StreamSession(json: json)
        // The playlist that plays is the session's own: it is left when the target ends it, not renewed.
        (answer.validUntil, answer.validFor) = (nil, nil)
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

extension URLTemplateTarget.Session {
    package init(method: SessionRequest.Method, url: URLTemplate, streamID: JSONPointer, content: JSONPointer?) {
        self.init(method: method, url: url, body: nil, streamID: streamID, content: content)
    }
}

/// Text with placeholders that each request fills, such as `{stream_id}`.
package struct URLTemplate: Hashable, Sendable {
    /// One of the names below, or a trait of the audience.
    package struct Placeholder: Hashable, Sendable {
        package let name: String

        package init(trait name: String) { self.name = name }

        package static let viewer = Placeholder(trait: "viewer")
        package static let streamID = Placeholder(trait: "stream_id")
        package static let breakID = Placeholder(trait: "break")
        package static let start = Placeholder(trait: "start")
        package static let durationMilliseconds = Placeholder(trait: "duration_ms")
        package static let scte35 = Placeholder(trait: "scte35")
        package static let primaryID = Placeholder(trait: "primary_id")

        package static let own = [viewer, streamID, breakID, start, durationMilliseconds, scte35, primaryID]
    }

    private enum Piece: Hashable {
        case text(String)
        case placeholder(Placeholder)
    }

    private let pieces: [Piece]

    /// Nil for an unclosed brace or an unknown name.
    package init?(_ text: String, traits: some Collection<String> = []) {
        let pieces = Self.pieces(of: text, traits: Set(traits))
        for case .text(let part) in pieces where part.contains("{") || part.contains("}") { return nil }
        self.pieces = pieces
    }

    /// Keeps other text in braces, as JSON needs it.
    package init(body text: String, traits: some Collection<String> = []) {
        pieces = Self.pieces(of: text, traits: Set(traits))
    }

    private static func pieces(of text: String, traits: Set<String>) -> [Piece] {
        var pieces: [Piece] = []
        var rest = text[...]
        var plain = ""
        while let opening = rest.firstIndex(of: "{") {
            plain += rest[..<opening]
            let found = rest[rest.index(after: opening)...].prefix { $0 != "}" && $0 != "{" }
            let name = String(found)
            guard found.endIndex < rest.endIndex, rest[found.endIndex] == "}",
                traits.contains(name) || Placeholder.own.contains(where: { $0.name == name })
            else {
                plain.append("{")
                rest = rest[rest.index(after: opening)...]
                continue
            }
            if !plain.isEmpty { pieces.append(.text(plain)) }
            plain = ""
            pieces.append(.placeholder(Placeholder(trait: name)))
            rest = rest[rest.index(after: found.endIndex)...]
        }
        plain += rest
        if !plain.isEmpty { pieces.append(.text(plain)) }
        return pieces
    }

    package var placeholders: Set<Placeholder> {
        Set(pieces.compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } })
    }

    /// Missing values become empty.
    package func url(_ values: [Placeholder: String]) -> String { filled { PercentEncoding.encode(values[$0] ?? "") } }

    package func text(_ values: [Placeholder: String]) -> String { filled { values[$0] ?? "" } }

    package func json(_ values: [Placeholder: String]) -> String { filled { Self.escaped(values[$0] ?? "") } }

    private func filled(_ value: (Placeholder) -> String) -> String {
        pieces.reduce(into: "") { text, piece in
            switch piece {
            case .text(let part): text += part
            case .placeholder(let placeholder): text += value(placeholder)
            }
        }
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case _ where scalar.value < 0x20: result += "\\u" + scalar.value.hexadecimal(digits: 4)
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}

/// Location in a JSON document (RFC 6901), such as `/session/id`.
package struct JSONPointer: Hashable, Sendable {
    private let tokens: [String]

    package init?(_ text: String) {
        guard text.isEmpty || text.hasPrefix("/") else { return nil }
        let escapes = text.split(separator: "~", omittingEmptySubsequences: false).dropFirst()
        guard escapes.allSatisfy({ $0.first == "0" || $0.first == "1" }) else { return nil }
        tokens = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            String($0).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }

    func text(in document: JSONValue) -> String? {
        var value = document
        for token in tokens {
            switch value {
            case .object(let members):
                guard let next = members[token] else { return nil }
                value = next
            case .array(let elements):
                guard let index = Int(token), String(index) == token, elements.indices.contains(index) else {
                    return nil
                }
                value = elements[index]
            default: return nil
            }
        }
        switch value {
        case .string(let text): return text.isEmpty ? nil : text
        case .number(let number): return Int64(exactly: number).map { String($0) }
        default: return nil
        }
    }
}
