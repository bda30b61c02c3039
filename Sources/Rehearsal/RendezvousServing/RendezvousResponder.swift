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
    let folder: String
    let access: ClientAccess

    /// An error closes the connection.
    func respond(to request: ServedRequest) async throws {
        var answer = await answer(to: request)
        answer.fields[.podswarmTime] = String(podswarm_nanoseconds(CLOCK_REALTIME) / 1_000)
        try await request.deliver(answer)
    }

    private func answer(to request: ServedRequest) async -> ServedAnswer {
        let head = request.head
        if let refusal = ServedAnswer.refusal(of: head, by: access, "rendezvous") { return refusal }
        guard let route = RendezvousRoute(head.path ?? "/") else {
            return .text(.notFound, "There is nothing here: /v1/RUN/GROUP, /v1/RUN/GROUP/NAME, /v1/time.")
        }
        do {
            switch (route, head.method) {
            case (.time, .get): return ServedAnswer(.noContent, nil, ByteBuffer())
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
    ) throws -> ServedAnswer {
        let place = try RendezvousFolder(path: "\(folder)/\(run)")
        if try place.put(Data(body.readableBytesView), in: group, as: name) { return .text(.created, "") }
        // Includes the existing content, so that a client that lost the answer to its first request recognises its own.
        let there = ByteBuffer(bytes: try place.content(of: name, in: group) ?? Data())
        return ServedAnswer(.preconditionFailed, "application/octet-stream", there)
    }

    private func list(_ run: String, _ group: String, after name: String?) throws -> ServedAnswer {
        let listing = try RendezvousFolder(lookingAt: "\(folder)/\(run)").list(group, after: name)
        let json = try DocumentEncoding().encode(listing)
        return ServedAnswer(.ok, "application/json", ByteBuffer(bytes: json))
    }
}

extension HTTPField.Name {
    /// `podswarm-time-us`: microseconds since the Unix epoch by the server's clock.
    static let podswarmTime = HTTPField.Name("podswarm-time-us") ?? .date
}
