import Foundation
import TestSupport
import Testing

/// A live HLS stream that ffmpeg makes and nginx serves: nothing of it was written here.
struct ForeignStream: Sendable {
    /// What ffmpeg is told to make.
    struct Shape: CustomStringConvertible, Sendable {
        enum Container: String, Sendable {
            case mpegTS = "MPEG-TS"
            case fragmentedMP4 = "fMP4"
        }

        var container = Container.mpegTS
        var variants = 1
        /// The encoder ends every six seconds, and the next one goes on with the playlist that it finds.
        var hasDiscontinuities = false

        var description: String {
            "\(container.rawValue), \(variants) variants, \(hasDiscontinuities ? "with" : "without") discontinuities"
        }

        /// An encoder may be late by a segment before its playlist is stale: more than a busy machine makes it wait.
        static let segmentSeconds = 3
    }

    /// Of the multivariant playlist.
    let url: String
    /// What everything below `/keyed/` asks for as a bearer; below `/for/` any piece may stand as a viewer's token.
    static let key = "k3yk3yk3yk3yk3y"

    /// Starts encoder and server, hands the stream to `body` once it has three segments, and stops both.
    static func serving<Result: Sendable>(
        _ shape: Shape = Shape(),
        _ body: (ForeignStream) async throws -> Result
    ) async throws -> Result {
        let folder = try TemporaryFolder()
        let arguments = try await encoding(shape, into: folder.path)
        let encoder = Task {
            repeat {
                let end = try await ChildProcess.run(ExternalTool.ffmpeg.path(), arguments, limit: .seconds(3600))
                guard end.status == 0, shape.hasDiscontinuities else { throw ChildProcess.Failure(end: end) }
            } while !Task.isCancelled
        }
        defer { encoder.cancel() }
        let isUp = try await Patience.sees {
            folder.files(in: ".").count { ["ts", "m4s"].contains($0.pathExtension) } > 3 * shape.variants
        }
        guard isUp else {
            encoder.cancel()
            try await encoder.value
            throw Obstacle("ffmpeg made too few segments: \(folder.files(in: ".").map(\.lastPathComponent))")
        }
        return try await serving(folder, body)
    }

    /// Serves a folder as it is, as a stream whose multivariant playlist is in it, and stops the server.
    static func serving<Result: Sendable>(
        _ folder: TemporaryFolder,
        _ body: (ForeignStream) async throws -> Result
    ) async throws -> Result {
        let port = try LoopbackPort()
        let http = """
            access_log off;
            types { application/vnd.apple.mpegurl m3u8; video/mp2t ts; video/mp4 m4s mp4; }
            server {
                listen 127.0.0.1:\(port.number); root \(folder.path);
                location = /elsewhere.m3u8 { return 302 http://cdn.example.com/live.m3u8; }
                location /for/ { rewrite ^/for/[^/]+/(.*)$ /$1 last; }
                location /keyed/ {
                    if ($http_authorization != "Bearer \(key)") { return 403; }
                    rewrite ^/keyed/(.*)$ /$1 break;
                }
            }
            """
        return try await Nginx.start(http, in: folder, at: [port]).stopped {
            try await body(ForeignStream(url: "http://127.0.0.1:\(port.number)/multivariant.m3u8"))
        }
    }

    /// A test picture and tone, with the date and time of each segment.
    private static func encoding(_ shape: Shape, into folder: String) async throws -> [String] {
        let encoders = try await ExternalTool.ffmpeg.run(["-hide_banner", "-encoders"]).output
        let video = encoders.contains(" libx264 ") ? ["libx264", "-preset", "ultrafast"] : ["mpeg2video"]
        let pictures = "\(25 * Shape.segmentSeconds)"
        var arguments = [
            "-nostdin", "-v", "error", "-re", "-f", "lavfi", "-i", "testsrc=size=320x180:rate=25",
            "-re", "-f", "lavfi", "-i", "sine=frequency=440",
        ]
        for _ in 0..<shape.variants { arguments += ["-map", "0:v", "-map", "1:a"] }
        arguments += ["-c:v"] + video + ["-g", pictures, "-keyint_min", pictures, "-sc_threshold", "0"]
        arguments += ["-c:a", "aac", "-b:a", "64k", "-f", "hls", "-hls_time", "\(Shape.segmentSeconds)"]
        if shape.container == .fragmentedMP4 { arguments += ["-hls_segment_type", "fmp4"] }
        if shape.hasDiscontinuities {
            arguments += ["-t", "6", "-hls_list_size", "5"]
            arguments += ["-hls_flags", "program_date_time+delete_segments+append_list+omit_endlist"]
        } else {
            arguments += ["-hls_list_size", "6", "-hls_flags", "program_date_time+delete_segments"]
        }
        let isAlone = shape.variants == 1
        if !isAlone {
            let streams = (0..<shape.variants).map { "v:\($0),a:\($0)" }.joined(separator: " ")
            arguments += ["-var_stream_map", streams]
        }
        return arguments + ["-master_pl_name", "multivariant.m3u8", "\(folder)/media\(isAlone ? "" : "-%v").m3u8"]
    }
}
