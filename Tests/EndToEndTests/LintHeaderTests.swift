import Foundation
import TestSupport
import Testing

/// Headers of `podswarm lint` are for the server of the URL, wherever that one sends the reader; of a live channel the clock is told.
///
/// Over sockets, because nginx tells which headers came.
@Suite(.fewWaiting) struct LintHeaderTests {
    @Test func aRedirectToAnotherHostTakesNoSecretWithIt() async throws {
        let (folder, first, other) = (try TemporaryFolder(), try LoopbackPort(), try LoopbackPort())
        let head = "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-PROGRAM-DATE-TIME:"
        let segments = (0..<4).map { "\n#EXTINF:2,\n\($0).ts" }.joined()
        try folder.write(head + Date.now.addingTimeInterval(60).formatted(.iso8601) + segments + "\n", to: "a.m3u8")
        let http = """
            log_format told escape=none '$server_port $http_x_key|$http_authorization|$http_user_agent';
            access_log \(folder.path)/access.log told;
            types { application/vnd.apple.mpegurl m3u8; }
            server { listen 127.0.0.1:\(first.number); return 302 http://127.0.0.1:\(other.number)/a.m3u8; }
            server { listen 127.0.0.1:\(other.number); root \(folder.path); }
            """
        let end = try await Nginx.start(http, in: folder, at: [first, other]).stopped {
            let headers = ["X-Key: k3y", "Authorization: Bearer k3y", "User-Agent: Example/1.0"]
            let url = "http://127.0.0.1:\(first.number)/a.m3u8"
            return try await PodswarmExecutable.run(["lint", url] + headers.flatMap { ["--header", $0] })
        }
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        #expect(end.output.contains("s ahead of this machine's clock"), "\(end.output)")
        let log = try String(contentsOf: folder.file("access.log"), encoding: .utf8).split(separator: "\n")
        #expect(log == ["\(first.number) k3y|Bearer k3y|Example/1.0", "\(other.number) ||Example/1.0"])
    }
}
