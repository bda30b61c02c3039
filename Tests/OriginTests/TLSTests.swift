import Foundation
import ServerTLS
import TestSupport
import Testing

@testable import Origin
@testable import OriginServing

/// The origin's TLS, asked by clients that stand on other code: curl, and Python over an OpenSSL of its own.
@Suite struct TLSTests {
    private static let playlist = "/live/main/360p/media.m3u8"

    /// A TLS origin, and the file with its certificate, for as long as a closure runs.
    private func withTLSOrigin(
        http2: Bool = false,
        faults: String? = nil,
        _ body: @Sendable (OriginServer, Int, String) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let pem = folder.file("origin.pem").path
        var configuration = OriginConfiguration()
        configuration.useTLS = true
        configuration.useHTTP2 = http2
        configuration.certificateOutput = pem
        try await withOrigin(faults: faults, configuration) { server, port in try await body(server, port, pem) }
        withExtendedLifetime(folder) {}
    }

    private func curl(_ arguments: String...) async throws -> ProgramOutput {
        try await InstalledProgram("curl").run(["-sS"] + arguments)
    }

    /// What a client written in Python says of a request to the origin.
    private func python(_ script: String, _ port: Int, _ pem: String) async throws -> String {
        let client = try PackageFolder.text("Tests/OriginTests/tls_client.py")
        let outcome = try await InstalledProgram("python3").run(["-c", client + script, String(port), pem])
        #expect(outcome.status == 0, "\(outcome.complaints)")
        return outcome.text
    }

    @Test func answersWithTheCertificateItWrote() async throws {
        try await withTLSOrigin { _, port, pem in
            let trusted = try await curl("-i", "--cacert", pem, "https://localhost:\(port)/origin/health")
            #expect(trusted.text.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(trusted.complaints)")
            let other = pem + ".other"
            let now = Int64(Date.now.timeIntervalSince1970)
            try Data(try OriginServer.identity(epochSeconds: now).certificatePEM.utf8).write(to: URL(filePath: other))
            let stranger = try await curl("--cacert", other, "https://localhost:\(port)/origin/health")
            #expect(stranger.status == 60, "the peer's certificate cannot be authenticated")
        }
    }

    @Test(arguments: ["1.2", "1.3"], ["--http1.1", "--http2"])
    func speaksBothVersionsOfBothProtocols(version: String, how: String) async throws {
        try await withTLSOrigin(http2: true) { _, port, pem in
            let wanted = ["--tlsv\(version)", "--tls-max", version, how, "--cacert", pem, "-o", "/dev/null"]
            let told = ["-sS", "-w", "%{http_version} %{http_code}\n"]
            let base = "https://127.0.0.1:\(port)"
            let outcome = try await InstalledProgram("curl").run(wanted + told + [base + Self.playlist])
            #expect(outcome.text == (how == "--http2" ? "2 200\n" : "1.1 200\n"), "\(outcome.complaints)")
        }
    }

    private static let manners = [
        "c = Client(); c.ask(b'Connection: close\\r\\n')",
        "c = Client(step=1); c.ask(b'Connection: close\\r\\n')",
        """
        c = Client()
        c.tls.write(REQUEST % b"")
        try: c.tls.unwrap()
        except ssl.SSLWantReadError: pass
        c.send_outgoing()
        """,
    ]

    /// A client that sends all at once, one that sends byte by byte, and one that has said goodbye before.
    @Test(arguments: manners) func answersAndSaysGoodbyeBeforeItCloses(manner: String) async throws {
        try await withTLSOrigin { _, port, pem in
            let told = try await python(manner + "\nprint(c.read_to_end().decode()[:15])", port, pem)
            #expect(told == "HTTP/1.1 200 OK\n")
        }
    }

    @Test func sendsLargeAnswersWholeToThoseWhoReadLittleAtATime() async throws {
        try await withTLSOrigin { _, port, pem in
            let script = """
                import hashlib
                c = Client(window=4096)
                path = [l for l in (c.ask(), c.read())[1].decode().splitlines() if l.endswith(".m4s")][0]
                path = "/live/main/360p/" + path.split("/")[-1]
                slow = Client(window=4096)
                many = b"".join(b"GET %s HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n" % path.encode() for _ in range(49))
                slow.until_done(slow.tls.write, many + (b"GET %s HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n"
                                                        % path.encode()))
                answers = slow.read_to_end(step=700)
                print(path, hashlib.sha256(answers[-100_000:]).hexdigest(), answers.count(b"HTTP/1.1 200 OK\\r\\n"))
                body = answers[answers.rindex(b"\\r\\n\\r\\n") + 4:]
                print(hashlib.sha256(body).hexdigest())
                """
            let lines = try await python(script, port, pem).split(separator: "\n")
            let words = try #require(lines.first).split(separator: " ")
            #expect(words.last == "50")
            let path = try #require(words.first)
            let file = pem + ".m4s"
            let whole = try await curl("--cacert", pem, "-o", file, "https://localhost:\(port)\(path)")
            #expect(whole.status == 0, "\(whole.complaints)")
            let digest = try await InstalledProgram("sha256sum").run([file])
            #expect(digest.text.prefix(64) == lines.last.map { $0.prefix(64) } ?? "")
        }
    }

    @Test(arguments: ["TLSv1_2", "TLSv1_3"])
    func resumesSessions(version: String) async throws {
        try await withTLSOrigin { _, port, pem in
            let script = """
                first = Client(newest=ssl.TLSVersion.\(version))
                first.ask()
                first.read()
                again = Client(session=(first.context, first.tls.session))
                again.ask(b"Connection: close\\r\\n")
                print(first.tls.session_reused, again.tls.session_reused, again.read_to_end().decode()[:15])
                """
            let told = try await python(script, port, pem)
            #expect(told == "False True HTTP/1.1 200 OK\n")
        }
    }

    @Test func closesOnThoseWhoDoNotSpeakTLSAndServesOthers() async throws {
        try await withTLSOrigin(http2: true) { _, port, pem in
            let answer = try await RawClient(port: port).get("/origin/health")
            #expect(!answer.contains("HTTP"), "an alert at most")
            let script = """
                c = Client()
                c.socket.sendall(b"\\x17\\x03\\x03\\x00\\x20" + bytes(32))
                while c.socket.recv(100): pass
                s = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
                s.sendall(b"\\x16\\x03\\x01\\x02\\x00")
                s.shutdown(socket.SHUT_WR)
                print(len(s.recv(100)))
                """
            let told = try await python(script, port, pem)
            #expect(told == "0\n")
            let other = try await curl("-i", "--http1.1", "--cacert", pem, "https://localhost:\(port)/origin/health")
            #expect(other.text.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(other.complaints)")
        }
    }

    @Test func aPlannedResetIsSeenAsOne() async throws {
        try await withTLSOrigin(faults: "- {fault: reset, kinds: [playlist]}") { server, port, pem in
            let script = """
                c = Client()
                c.ask()
                try: print(c.read())
                except ConnectionResetError: print("reset")
                """
            let told = try await python(script, port, pem)
            #expect(told == "reset\n")
            #expect(server.groundTruth().faults == ["reset": 1])
        }
    }

    @Test func aPlannedTruncationEndsInOrderAfterHalfTheBody() async throws {
        try await withTLSOrigin(faults: "- {fault: truncate, kinds: [playlist]}") { _, port, pem in
            let script = """
                c = Client()
                c.ask()
                head, body = c.read_to_end().split(b"\\r\\n\\r\\n", 1)
                length = [int(l.split(b":")[1]) for l in head.splitlines() if l.startswith(b"Content-Length")][0]
                print(len(body) == length // 2)
                """
            let told = try await python(script, port, pem)
            #expect(told == "True\n")
        }
    }

    @Test(arguments: [false, true])
    func stopEndsConnectionsThatClientsKeepOpen(http2: Bool) async throws {
        try await withTLSOrigin(http2: http2) { server, port, pem in
            async let end = python("c = Client(); c.ask(); c.read(); print(len(c.read_to_end()))", port, pem)
            let isAnswered = try await Patience.sees {
                server.groundTruth().requests["playlist"]?.answered["200"] == 1
            }
            #expect(isAnswered)
            server.stop()
            let told = try await end
            #expect(told == "0\n")
        }
    }
}
