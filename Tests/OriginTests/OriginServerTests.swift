import Foundation
import Profile
import TestSupport
import Testing

@testable import Origin

/// An origin that listens on a free port.
///
/// Over sockets, because it is connections that it answers.
@Suite struct OriginServerTests {
    @Test func answersOverPlainHTTP() async throws {
        try await withOrigin { server, port in
            let client = RawClient(port: port)
            #expect(try await client.get("/origin/health").hasPrefix("HTTP/1.1 200 OK\r\n"))
            let playlist = try await client.get(server.multivariantPath)
            #expect(playlist.contains("\r\nContent-Type: application/vnd.apple.mpegurl\r\n"))
            #expect(playlist.contains("\r\nDate: "))
            #expect(playlist.contains("\r\nAccess-Control-Allow-Origin: *\r\n"))
            #expect(playlist.contains("\r\n\r\n#EXTM3U\n"))
            let compressed = try await client.get("/live/main/360p/media.m3u8", fields: "Accept-Encoding: br, gzip\r\n")
            #expect(compressed.contains("\r\nContent-Encoding: gzip\r\n"))
            #expect(compressed.contains("\r\nVary: accept-encoding\r\n"))
            let head = try await client.send(
                "HEAD \(server.multivariantPath) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            )
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && !head.contains("#EXTM3U"))
        }
    }

    /// Transfers of curl on one HTTP/2 connection; libcurl 7.88 cannot use a plain one twice (curl pull request 10643).
    @Test(arguments: [(false, [5]), (true, [5, 5]), (true, [1, 2])])
    func streamsOfOneConnectionAreToldApartByViewer(isTLS: Bool, viewers: [Int]) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("origin.pem")
        var configuration = OriginConfiguration()
        configuration.usesTLS = isTLS
        configuration.useHTTP2 = true
        configuration.certificateOutput = isTLS ? file.path : nil
        try await withOrigin(configuration) { server, port in
            let base = "\(isTLS ? "https" : "http")://127.0.0.1:\(port)/live/main"
            let transfers = zip(viewers, ["360p", "180p"]).map { viewer, variant in
                [
                    "-sS", "-H", "x-podswarm-viewer: \(viewer)", "-w", "%{http_version} %{http_code}\n", "-o",
                    "/dev/null",
                ]
                    + (isTLS ? ["--http2", "--cacert", file.path] : ["--http2-prior-knowledge"])
                    + ["\(base)/\(variant)/media.m3u8"]
            }
            let outcome = try await InstalledProgram("curl").run(Array(transfers.joined(separator: ["--next"])))
            #expect(outcome.status == 0, "\(outcome.complaints)")
            #expect(outcome.text == String(repeating: "2 200\n", count: viewers.count))
            let truth = server.groundTruth()
            #expect(truth.requests["playlist"]?.received == viewers.count)
            #expect(truth.connections.total == 1, "all streams came on one connection")
            #expect(truth.connections.sharedBetweenSessions == Set(viewers).count - 1)
            #expect(truth.viewers.seen == Set(viewers).count)
        }
    }

    @Test func connectionOfTwoViewersIsSeenToBeShared() async throws {
        try await withOrigin { server, port in
            func request(_ viewer: Int, _ rest: String) -> String {
                "GET \(server.multivariantPath) HTTP/1.1\r\nHost: a\r\nx-podswarm-viewer: \(viewer)\r\n\(rest)\r\n"
            }
            let client = RawClient(port: port)
            _ = try await client.send(request(1, "") + request(1, "Connection: close\r\n"))
            #expect(server.groundTruth().connections.sharedBetweenSessions == 0)
            _ = try await client.send(request(1, "") + request(2, "Connection: close\r\n"))
            let truth = server.groundTruth()
            #expect(truth.connections.sharedBetweenSessions == 1)
            #expect(truth.connections.total == 2)
            #expect(truth.viewers.seen == 2)
            #expect(truth.viewers.maximumConnections == 2, "of the first viewer")
            #expect(truth.requests["multivariant"]?.received == 4)
        }
    }

    @Test func registrationBodyIsReadFromTheWireAndBounded() async throws {
        try await withOrigin { _, port in
            func post(_ length: Int, _ type: String, _ body: String) async throws -> String {
                try await RawClient(port: port).send(
                    "POST \(ServiceProbe.registrationPath) HTTP/1.1\r\nHost: localhost:1\r\nContent-Type: \(type)\r\n"
                        + "Content-Length: \(length)\r\nConnection: close\r\n\r\n\(body)"
                )
            }
            let form = try await post(7, "application/x-www-form-urlencoded", "iu=%2F1")
            #expect(form.hasPrefix("HTTP/1.1 201 Created\r\n"))
            #expect(form.contains("\"metadata_url\":\"http://localhost:1/linear/"))
            #expect(try await post(2, "application/json", "{}").hasPrefix("HTTP/1.1 201 Created\r\n"))
            #expect(try await post(1, "application/json; charset=utf-8", "{").hasPrefix("HTTP/1.1 400 "))
            let long = String(repeating: "a", count: 70_000)
            #expect(try await post(70_000, "application/x-www-form-urlencoded", long).hasPrefix("HTTP/1.1 413 "))
        }
    }

    @Test func originStoppedBeforeItRunsDoesNotServe() async throws {
        let server = try OriginServer(configuration: OriginConfiguration())
        server.stop()
        try await server.run { _ in Issue.record("it serves") }
    }

    @Test func viewersAtOnceHaveAConnectionEach() async throws {
        try await withOrigin { server, port in
            await withTaskGroup(of: Bool.self) { group in
                for viewer in 0..<16 {
                    group.addTask {
                        let answer = try? await RawClient(port: port).get(server.multivariantPath, viewer: viewer)
                        return answer?.hasPrefix("HTTP/1.1 200 OK\r\n") ?? false
                    }
                }
                for await isAnswered in group { #expect(isAnswered) }
            }
            let truth = server.groundTruth()
            #expect(truth.requests["multivariant"]?.received == 16)
            #expect(truth.connections.total == 16 && truth.connections.sharedBetweenSessions == 0)
        }
    }
}
