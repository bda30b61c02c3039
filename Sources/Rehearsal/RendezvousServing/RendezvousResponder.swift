import CLinux
import Foundation
import HTTPTypes
import NIOCore
import Results
import Transport
import Values

/// Answers the requests of shards.
///
/// `PUT /v1/RUN/GROUP/NAME` with `If-None-Match: *` (RFC 9110 section 13.1.2) returns 201, or 412 with the existing content;
/// `GET /v1/RUN/GROUP?after=NAME` lists; `GET /v1/time` has no content. Every answer has this machine's time.
struct RendezvousResponder: Sendable {
    private static let patience = TimeAmount.seconds(10)

    let folder: String
    let access: ClientAccess

    init(folder: String, token: String?) {
        self.folder = folder
        access = ClientAccess(token: token)
    }

    /// An error closes the connection.
    func respond(to request: ServedRequest) async throws {
        var answer = await answer(to: request)
        answer.fields[.podswarmTime] = String(podswarm_nanoseconds(CLOCK_REALTIME) / 1_000)
        let connection = request.connection
        let patience = connection.eventLoop.scheduleTask(in: Self.patience) { connection.close(promise: nil) }
        defer { patience.cancel() }
        try await request.deliver(HTTPResponse(status: answer.status, headerFields: answer.fields), answer.body)
    }

    private func answer(to request: ServedRequest) async -> RendezvousAnswer {
        let head = request.head
        switch access.refusal(of: head) {
        case .misdirected:
            return .text(.misdirectedRequest, "Without a token this is served at an address or as localhost only.")
        case .unauthorised:
            // RFC 6750 section 3.
            var answer = RendezvousAnswer.text(.unauthorized, "This rendezvous asks for its token.")
            answer.fields[.wwwAuthenticate] = "Bearer"
            return answer
        case nil: break
        }
        guard let route = RendezvousRoute(head.path ?? "/") else {
            return .text(.notFound, "There is nothing here: /v1/RUN/GROUP, /v1/RUN/GROUP/NAME, /v1/time.")
        }
        do {
            switch (route, head.method) {
            case (.time, .get): return RendezvousAnswer(.noContent, [:], ByteBuffer())
            case (.group(let run, let group, let name), .get): return try list(run, group, after: name)
            case (.name(let run, let group, let name), .put):
                guard head.headerFields[.ifNoneMatch] == "*" else {
                    return .text(.preconditionRequired, "Nothing that is there is changed: send If-None-Match: *")
                }
                return try put(try await request.body(), run, group, name)
            case (.name, _): return .text(.methodNotAllowed, "PUT only.", allowing: "PUT")
            case (.group, _), (.time, _): return .text(.methodNotAllowed, "GET only.", allowing: "GET")
            }
        } catch is BodyTooLarge {
            return .text(.contentTooLarge, "At most \(RendezvousListing.longestContent) bytes.")
        } catch let error as RendezvousError {
            return .text(.init(code: 507, reasonPhrase: "Insufficient Storage"), error.description)
        } catch {
            return .text(.internalServerError, "\(error)")
        }
    }

    private func put(
        _ body: ByteBuffer,
        _ run: String,
        _ group: String,
        _ name: String
    ) throws -> RendezvousAnswer {
        let place = try RendezvousFolder(path: "\(folder)/\(run)")
        if try place.put(Data(body.readableBytesView), in: group, as: name) { return .text(.created, "") }
        // Includes the existing content, so that a client that lost the answer to its first request recognises its own.
        let there = ByteBuffer(bytes: try place.content(of: name, in: group) ?? Data())
        return RendezvousAnswer(.preconditionFailed, [.contentType: "application/octet-stream"], there)
    }

    private func list(_ run: String, _ group: String, after name: String?) throws -> RendezvousAnswer {
        let listing = try RendezvousFolder(lookingAt: "\(folder)/\(run)").list(group, after: name)
        let json = try DocumentEncoding().encode(listing)
        return RendezvousAnswer(.ok, [.contentType: "application/json"], ByteBuffer(bytes: json))
    }
}

struct RendezvousAnswer: Sendable {
    var status: HTTPResponse.Status
    var fields: HTTPFields
    var body: ByteBuffer

    init(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ body: ByteBuffer) {
        self.status = status
        self.fields = fields
        self.body = body
        self.fields[.cacheControl] = "no-store"
        self.fields[.xContentTypeOptions] = "nosniff"
        if status != .noContent { self.fields[.contentLength] = String(body.readableBytes) }
    }

    static func text(_ status: HTTPResponse.Status, _ text: String, allowing: String? = nil) -> RendezvousAnswer {
        let body = ByteBuffer(string: text.isEmpty ? "" : text + "\n")
        var answer = RendezvousAnswer(status, [.contentType: "text/plain; charset=utf-8"], body)
        if let allowing { answer.fields[.allow] = allowing }
        return answer
    }
}

extension HTTPField.Name {
    /// `podswarm-time-us`: microseconds since the Unix epoch by the server's clock.
    static let podswarmTime = HTTPField.Name("podswarm-time-us") ?? .date
}
