import Foundation
import FoundationNetworking

/// A live HLS stream that ffmpeg makes and nginx serves: nothing of it was written here.
struct ForeignStream: Sendable {
    struct NotUp: Error, CustomStringConvertible {
        let log: String
        var description: String { "nginx found no free port: \(log)" }
    }

    /// Of the multivariant playlist.
    let url: String

    /// Starts encoder and server, hands the stream to `body` once it has three segments, and stops both.
    static func serving<Result: Sendable>(_ body: (ForeignStream) async throws -> Result) async throws -> Result {
        let folder = try TemporaryFolder()
        let encoder = try ChildProcess(try ExternalTool.ffmpeg.path(), try await encoding(into: folder.path))
        var server: ChildProcess?
        do {
            try await encoder.wait(for: "three segments", within: .seconds(60)) { _ in
                folder.files(in: ".").count { $0.pathExtension == "ts" } > 3
            }
            let (child, port) = try await nginx(serving: folder)
            server = child
            let result = try await body(ForeignStream(url: "http://127.0.0.1:\(port)/multivariant.m3u8"))
            child.kill()
            encoder.kill()
            return result
        } catch {
            server?.kill()
            encoder.kill()
            throw error
        }
    }

    /// A test picture and tone in MPEG-TS segments of one second, with the date and time of each.
    private static func encoding(into folder: String) async throws -> [String] {
        let encoders = try await ExternalTool.ffmpeg.run(["-hide_banner", "-encoders"]).output
        let video = encoders.contains(" libx264 ") ? ["libx264", "-preset", "ultrafast"] : ["mpeg2video"]
        return [
            "-nostdin", "-v", "error", "-re", "-f", "lavfi", "-i", "testsrc=size=320x180:rate=25",
            "-re", "-f", "lavfi", "-i", "sine=frequency=440", "-c:v",
        ] + video + [
            "-g", "25", "-keyint_min", "25", "-sc_threshold", "0", "-c:a", "aac", "-b:a", "64k",
            "-f", "hls", "-hls_time", "1", "-hls_list_size", "6", "-hls_flags", "program_date_time+delete_segments",
            "-master_pl_name", "multivariant.m3u8", "\(folder)/media.m3u8",
        ]
    }

    /// nginx cannot say which port it took, so it is given one that was free a moment ago, anew when that is gone.
    private static func nginx(serving folder: TemporaryFolder) async throws -> (ChildProcess, Int) {
        var log = ""
        for _ in 0..<5 {
            let port = try LocalPort().number
            let configuration = try folder.write(self.configuration(port: port, folder: folder.path), to: "nginx.conf")
            let child = try ChildProcess(
                try ExternalTool.nginx.path(),
                ["-p", folder.path, "-c", configuration, "-e", "stderr"]
            )
            let url = try URL.parsed("http://127.0.0.1:\(port)/multivariant.m3u8")
            do {
                try await child.wait(for: "answer", within: .seconds(20)) { _ in
                    (try? await URLSession.shared.data(from: url)) != nil
                }
                return (child, port)
            } catch let failure as ChildProcess.Failure {
                log = failure.description
            }
            child.kill()
        }
        throw NotUp(log: log)
    }

    private static func configuration(port: Int, folder: String) -> String {
        let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: " ")
        return """
            daemon off; master_process off; pid \(folder)/nginx.pid; error_log stderr;
            events { worker_connections 1024; }
            http {
                access_log off; \(scratch)
                types { application/vnd.apple.mpegurl m3u8; video/mp2t ts; }
                server { listen 127.0.0.1:\(port); root \(folder); }
            }

            """
    }
}
