import Foundation
import TestSupport
import Testing

/// Headers of `podswarm lint` are for the server of the URL, wherever that one sends the reader.
@Suite struct LintHeaderTests {
    /// One server that sends everybody to the other, and that one, which keeps what it was sent.
    private static func configuration(_ first: LoopbackPort, _ other: LoopbackPort, folder: String) -> String {
        let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: " ")
        return """
            daemon off; worker_processes 1; pid \(folder)/nginx.pid; error_log stderr;
            events { worker_connections 64; }
            http {
                log_format told escape=none '$server_port $http_x_key|$http_authorization|$http_user_agent';
                access_log \(folder)/access.log told; \(scratch)
                types { application/vnd.apple.mpegurl m3u8; }
                server { listen 127.0.0.1:\(first.number); return 302 http://127.0.0.1:\(other.number)/a.m3u8; }
                server { listen 127.0.0.1:\(other.number); root \(folder); }
            }

            """
    }

    @Test func aRedirectToAnotherHostTakesNoSecretWithIt() async throws {
        let (folder, first, other) = (try TemporaryFolder(), try LoopbackPort(), try LoopbackPort())
        try folder.write("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na.ts\n#EXT-X-ENDLIST\n", to: "a.m3u8")
        let file = try folder.write(Self.configuration(first, other, folder: folder.path), to: "nginx.conf")
        let server = try ChildProcess(
            try ExternalTool.nginx.path(),
            ["-p", folder.path, "-c", file, "-e", "stderr"],
            environment: ["NGINX": LoopbackPort.nginxVariable(count: 2)],
            inherited: [first.descriptor, other.descriptor]
        )
        let end = try await server.stopped {
            let headers = ["X-Key: k3y", "Authorization: Bearer k3y", "User-Agent: Example/1.0"]
            let url = "http://127.0.0.1:\(first.number)/a.m3u8"
            return try await PodswarmExecutable.run(["lint", url] + headers.flatMap { ["--header", $0] })
        }
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        let log = try String(contentsOf: folder.file("access.log"), encoding: .utf8).split(separator: "\n")
        #expect(log == ["\(first.number) k3y|Bearer k3y|Example/1.0", "\(other.number) ||Example/1.0"])
    }
}
