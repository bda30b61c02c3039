import Foundation
import HTTPTypes
import NIOCore

/// Answers the requests for a library, read-only and by known paths only.
struct LibraryResponder: Sendable {
    let desk: LibraryDesk

    /// Throws only if the reader has disconnected.
    func respond(to turn: PageTurn) async throws {
        try await turn.deliver(await answer(to: turn.head.path ?? "/"))
    }

    private func answer(to target: String) async -> ServedAnswer {
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let query = parts.count > 1 ? String(parts[1]) : ""
        do {
            switch parts[0] {
            case "/": return Self.page(Data(try await desk.index().utf8))
            case "/results.json":
                return ServedAnswer(.ok, "application/json", ByteBuffer(bytes: try await desk.list())).forBrowsers()
            case "/compare":
                let sides = ["base", "candidate"].compactMap { Self.value($0, in: query) }
                guard sides.count == 2 else { throw LibraryDesk.Refusal.unknown }
                return Self.page(Data(try await desk.comparison(sides[0], sides[1]).utf8))
            default:
                guard let path = parts[0].dropFirst().removingPercentEncoding else { throw LibraryDesk.Refusal.unknown }
                return Self.page(try await desk.report(at: path))
            }
        } catch LibraryDesk.Refusal.unknown {
            return .text(.notFound, "There is nothing here.").forBrowsers()
        } catch LibraryDesk.Refusal.impossible(let text) {
            return .text(.unprocessableContent, text).forBrowsers()
        } catch {
            return .text(.internalServerError, "The page cannot be made: \(error)").forBrowsers()
        }
    }

    private static func page(_ html: Data) -> ServedAnswer {
        ServedAnswer(.ok, ServedAnswer.pageType, ByteBuffer(bytes: html))
            .forBrowsers(allowing: ServedAnswer.ofStoredPage)
    }

    private static func value(_ name: String, in query: String) -> String? {
        query.split(separator: "&").first { $0.hasPrefix("\(name)=") }
            .flatMap { String($0.dropFirst(name.utf8.count + 1)).removingPercentEncoding }
    }
}
