import Foundation
import Profile
import TestSupport
import Testing
import Transport

@testable import Origin

/// The origin's TLS, asked by clients that stand on other code: curl, and Python over an OpenSSL of its own.
///
/// Over sockets, because the clients are programs of others.
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
        configuration.usesTLS = true
        configuration.useHTTP2 = http2
        configuration.certificateOutput = pem
        try await withOrigin(faults: faults, configuration) { server, port in try await body(server, port, pem) }
        withExtendedLifetime(folder) {}
    }

    private func curl(_ arguments: String...) async throws -> ProgramOutput {
        try await InstalledProgram("curl").run(["-sS"] + arguments)
    }

    private func python(_ call: String, _ port: Int, _ pem: String) async throws -> String {
        let client = try PackageFolder.text("Tests/OriginTests/tls_client.py")
        let outcome = try await InstalledProgram("python3").run(["-c", client + call, String(port), pem])
        #expect(outcome.status == 0, "\(outcome.complaints)")
        return outcome.text
    }

    @Test func answersWithTheCertificateItWrote() async throws {
        try await withTLSOrigin { _, port, pem in
            let trusted = try await curl("-i", "--cacert", pem, "https://localhost:\(port)/origin/health")
            #expect(trusted.text.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(trusted.complaints)")
            let other = pem + ".other"
            let now = Int64(Date.now.timeIntervalSince1970)
            let made = try OriginServer.tls(epochSeconds: now, offersHTTP2: false)
            try Data(made.certificatePEM.utf8).write(to: URL(filePath: other))
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

    @Test(
        arguments: [
            ("at_once()", nil, "HTTP/1.1 200 OK"), ("byte_by_byte()", nil, "HTTP/1.1 200 OK"),
            ("goodbye_first()", nil, "HTTP/1.1 200 OK"), ("resumed('TLSv1_2')", nil, "False True HTTP/1.1 200 OK"),
            ("resumed('TLSv1_3')", nil, "False True HTTP/1.1 200 OK"), ("reset()", "reset", "reset"),
            // It ends in order after half the body.
            ("truncated()", "truncate", "True"),
        ] as [(String, String?, String)]
    )
    func answersSessionsAndPlannedFaultsAreSeen(call: String, fault: String?, told: String) async throws {
        try await withTLSOrigin(faults: fault.map { "- {fault: \($0), kinds: [playlist]}" }) { _, port, pem in
            let output = try await python(call, port, pem)
            #expect(output == told + "\n")
        }
    }

    @Test func sendsLargeAnswersWholeToClientsThatReadLittleAtATime() async throws {
        try await withTLSOrigin { _, port, pem in
            let words = try await python("large()", port, pem).split(separator: " ")
            try #require(words.count == 3)
            #expect(words[1] == "50")
            let file = pem + ".m4s"
            let whole = try await curl("--cacert", pem, "-o", file, "https://localhost:\(port)\(words[0])")
            #expect(whole.status == 0, "\(whole.complaints)")
            let digest = try await InstalledProgram("sha256sum").run([file])
            #expect(digest.text.prefix(64) == words[2].prefix(64))
        }
    }

    @Test func closesOnClientsThatDoNotSpeakTLSAndServesOthers() async throws {
        try await withTLSOrigin(http2: true) { _, port, pem in
            let answer = try await RawClient(port: port).get("/origin/health")
            #expect(!answer.contains("HTTP"), "an alert at most")
            let told = try await python("nonsense()", port, pem)
            #expect(told == "0\n")
            let other = try await curl("-i", "--http1.1", "--cacert", pem, "https://localhost:\(port)/origin/health")
            #expect(other.text.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(other.complaints)")
        }
    }

    @Test(arguments: [false, true])
    func stopEndsConnectionsThatClientsKeepOpen(http2: Bool) async throws {
        try await withTLSOrigin(http2: http2) { server, port, pem in
            async let end = python("kept_open()", port, pem)
            let isAnswered = try await Patience.sees { server.groundTruth().requests["playlist"]?.answered["200"] == 1 }
            #expect(isAnswered)
            server.stop()
            let told = try await end
            #expect(told == "0\n")
        }
    }
}
