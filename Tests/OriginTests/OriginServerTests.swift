import Foundation
import TestSupport
import Testing

@testable import Origin
@testable import OriginServing

/// An origin on a free loopback port, asked over real connections.
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

    @Test(arguments: [false, true])
    func speaksHTTP2AndKnowsItsConnections(isTLS: Bool) async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("origin.pem")
        var configuration = OriginConfiguration()
        configuration.useTLS = isTLS
        configuration.useHTTP2 = true
        configuration.certificateOutput = isTLS ? file.path : nil
        try await withOrigin(configuration) { server, port in
            let base = "\(isTLS ? "https" : "http")://127.0.0.1:\(port)/live/main"
            let how = isTLS ? ["--http2", "--cacert", file.path] : ["--http2-prior-knowledge"]
            // libcurl 7.88 cannot use a plain HTTP/2 connection a second time (curl pull request 10643).
            let variants = isTLS ? ["360p", "180p"] : ["360p"]
            let wanted = variants.flatMap { ["-o", "/dev/null", "\(base)/\($0)/media.m3u8"] }
            let told = ["-sS", "-H", "x-podswarm-viewer: 5", "-w", "%{http_version} %{http_code}\n"]
            let outcome = try await InstalledProgram("curl").run(how + told + wanted)
            #expect(outcome.status == 0, "\(outcome.complaints)")
            #expect(outcome.text == String(repeating: "2 200\n", count: variants.count))
            let truth = server.groundTruth()
            #expect(truth.requests["playlist"]?.received == variants.count)
            #expect(truth.connections.total == 1, "all streams came on one connection")
            #expect(truth.connections.sharedBetweenSessions == 0)
        }
    }

    @Test func streamsOfTwoViewersOnOneConnectionAreSeenToShareIt() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("origin.pem")
        var configuration = OriginConfiguration()
        configuration.useTLS = true
        configuration.useHTTP2 = true
        configuration.certificateOutput = file.path
        try await withOrigin(configuration) { server, port in
            let base = "https://localhost:\(port)/live/main"
            func transfer(_ viewer: Int, _ variant: String) -> [String] {
                ["-sS", "-H", "x-podswarm-viewer: \(viewer)", "--cacert", file.path, "-o", "/dev/null"]
                    + ["\(base)/\(variant)/media.m3u8"]
            }
            let outcome = try await InstalledProgram("curl").run(
                transfer(1, "360p") + ["--next"] + transfer(2, "180p")
            )
            #expect(outcome.status == 0, "\(outcome.complaints)")
            let truth = server.groundTruth()
            #expect(truth.connections.total == 1)
            #expect(truth.connections.sharedBetweenSessions == 1)
            #expect(truth.viewers.seen == 2)
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

    @Test func truthIsServedAsJSONAndDoesNotCountItself() async throws {
        try await withOrigin { server, port in
            let client = RawClient(port: port)
            _ = try await client.get(server.multivariantPath)
            let answer = try await client.get("/origin/truth.json")
            let body = try #require(answer.split(separator: "\r\n\r\n", maxSplits: 1).last)
            let truth = try GroundTruth(json: Data(body.utf8))
            #expect(truth.requests.values.reduce(0) { $0 + $1.received } == 1)
            #expect(truth.requests["multivariant"]?.answered == ["200": 1])
        }
    }

    @Test func resetAndTruncationEndTheConnectionEarly() async throws {
        let faults = """
            - {fault: reset, kinds: [playlist]}
            - {fault: truncate, kinds: [multivariant]}
            """
        try await withOrigin(faults: faults) { server, port in
            let client = RawClient(port: port)
            await #expect(throws: (any Error).self) { try await client.get("/live/main/360p/media.m3u8") }
            let half = try await client.get(server.multivariantPath)
            let parts = half.split(separator: "\r\n\r\n", maxSplits: 1)
            let whole = try #require(
                parts.first?.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }.flatMap {
                    Int($0.dropFirst("Content-Length: ".count))
                }
            )
            #expect(parts.last?.utf8.count == whole / 2)
            let truth = server.groundTruth()
            #expect(truth.requests["playlist"]?.received == 1)
            #expect(truth.requests["playlist"]?.answered == [:])
            #expect(truth.faults == ["reset": 1, "truncate": 1])
        }
    }

    @Test func redirectLeadsToTheTrueAnswerAndIsCountedApart() async throws {
        let faults = """
            - {fault: redirect, kinds: [playlist]}
            - {fault: redirect, kinds: [multivariant], to: unauthorised-host}
            - {fault: delay, kinds: [segment], delay: 1ms}
            """
        try await withOrigin(faults: faults) { server, port in
            let client = RawClient(port: port)
            let moved = try await client.get("/live/main/360p/media.m3u8")
            #expect(moved.hasPrefix("HTTP/1.1 302 Found\r\n"))
            #expect(moved.contains("\r\nLocation: /origin/moved/live/main/360p/media.m3u8\r\n"))
            let found = try await client.get("/origin/moved/live/main/360p/media.m3u8")
            #expect(found.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(try await client.get(server.multivariantPath).contains("\r\nLocation: http://192.0.2.1/live/"))
            #expect(try await client.get("/live/main/360p/init.mp4").hasPrefix("HTTP/1.1 200 OK\r\n"))
            let count = server.groundTruth().requests["playlist"]
            #expect(count?.received == 1 && count?.redirected == 1 && count?.faulted == 1)
            #expect(count?.answered == ["302": 1, "200": 1])
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

    @Test func mistakesAreToldBeforeAnythingIsServed() throws {
        var configuration = OriginConfiguration()
        configuration.variantCount = 0
        #expect(throws: OriginConfigurationError.self) { try OriginServer(configuration: configuration) }
        let folder = try TemporaryFolder()
        var faulty = OriginConfiguration()
        faulty.faultPlanPath = try folder.write("- {fault: pod_mismach}", to: "faults.yaml")
        #expect(throws: PlanError.self) { try OriginServer(configuration: faulty) }
    }

    @Test func aPlanThatCannotBeReadIsNamedWithItsSetting() throws {
        func words(_ change: (inout OriginConfiguration) -> Void) -> String? {
            var configuration = OriginConfiguration()
            change(&configuration)
            let error = #expect(throws: OriginConfigurationError.self) {
                try OriginServer(configuration: configuration)
            }
            return error?.mistakes.first?.told(of: "--plan")
        }
        let folder = try TemporaryFolder()
        let binary = try folder.write(Data([0x2D, 0x20, 0xFF]), to: "binary.yaml")
        #expect(words { $0.faultPlanPath = "nope.yaml" } == "--plan nope.yaml: no such file")
        #expect(words { $0.channelPlanPath = folder.path } == "--plan \(folder.path): is a folder")
        #expect(words { $0.channelPlanPath = binary } == "--plan \(binary): the text is not UTF-8")
    }

    @Test func aCertificateThatCannotBeWrittenIsRefusedInTheSystemsWords() {
        var configuration = OriginConfiguration()
        configuration.useTLS = true
        configuration.certificateOutput = "/proc/nowhere/a.pem"
        let error = #expect(throws: OriginConfigurationError.self) { try OriginServer(configuration: configuration) }
        let words = "certificateOutput /proc/nowhere/a.pem: cannot be written: \(String(cString: strerror(ENOENT)))"
        #expect(error?.description == words)
    }

    @Test func stopEndsConnectionsThatClientsKeepOpen() async throws {
        let waiting = try await withOrigin { server, port in
            let request = "GET \(server.multivariantPath) HTTP/1.1\r\nHost: a\r\n\r\n"
            let waiting = Task { try await RawClient(port: port).send(request) }
            let isAnswered = try await Patience.sees {
                server.groundTruth().requests["multivariant"]?.answered["200"] == 1
            }
            #expect(isAnswered)
            return waiting
        }
        // The client's wait ends only when the server closes; whether as an end or an error is the kernel's choice.
        let answer = try? await waiting.value
        #expect(answer?.hasPrefix("HTTP/1.1 200 OK\r\n") ?? true)
    }

    @Test func originStoppedBeforeItRunsDoesNotServe() async throws {
        let server = try OriginServer(configuration: OriginConfiguration())
        server.stop()
        try await server.run { _ in Issue.record("it serves") }
    }

    @Test func takenPortIsAnError() async throws {
        try await withOrigin { _, port in
            var configuration = OriginConfiguration()
            configuration.port = port
            let second = try OriginServer(configuration: configuration)
            await #expect(throws: OriginListenError(description: String(cString: strerror(EADDRINUSE)))) {
                try await second.run { _ in }
            }
        }
    }

    @Test func severalLoopsServeTheSame() async throws {
        var configuration = OriginConfiguration()
        configuration.eventLoopThreads = 2
        try await withOrigin(configuration) { server, port in
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
