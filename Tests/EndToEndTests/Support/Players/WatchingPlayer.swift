import Foundation
import TestSupport

enum WatchingPlayer: String, CaseIterable, Sendable {
    /// hls.js in headless Chromium.
    case hlsjs
    /// One viewer of a run, as the persona `hlsjs`.
    case persona
    case ffmpeg
    /// `playbin3`, which takes hlsdemux2.
    case gstreamer
    case vlc

    func start(_ server: String, in folder: TemporaryFolder) throws -> ChildProcess {
        let channel = "\(server)/live/main/multivariant.m3u8"
        switch self {
        case .hlsjs:
            let script = PackageFolder.file("Tests/Browser/play_hls.py").path
            let page = "\(server)/player/hls.html?source=/live/main/multivariant.m3u8"
            return try ChildProcess(
                try ExternalTool.python.path(),
                [script, page, "--chromium", try ExternalTool.chromium.path()]
            )
        case .persona:
            let profile = try folder.write(Self.profile(server), to: "persona.yaml")
            let results = folder.file("results").path
            return try ChildProcess(
                try PodswarmExecutable.path(),
                ["run", profile, "--results", results, "--quiet", "--no-report"]
            )
        case .ffmpeg:
            return try ChildProcess(
                try ExternalTool.ffmpeg.path(),
                ["-nostdin", "-v", "error", "-i", channel, "-f", "null", "-"]
            )
        case .gstreamer:
            return try ChildProcess(
                try ExternalTool.gstreamer.path(),
                ["-q", "playbin3", "uri=\(channel)"]
                    + ["video-sink=fakesink sync=true", "audio-sink=fakesink sync=true"]
            )
        case .vlc:
            let arguments = ["-I", "dummy", "--vout", "dummy", "--aout", "dummy", channel]
            let vlc = try ExternalTool.vlc.path()
            guard getuid() == 0 else { return try ChildProcess(vlc, arguments) }
            // It does not run as root.
            let lesser = ["--reuid", "nobody", "--regid", "nogroup", "--clear-groups", "env", "HOME=/tmp", vlc]
            return try ChildProcess(try ExternalTool.setpriv.path(), lesser + arguments)
        }
    }

    private static func profile(_ server: String) -> String {
        """
        name: persona
        duration: 10m
        \(FastProfile.podServingTarget(adServer: server))audience: {viewers: 1, personas: [{persona: hlsjs, share: 100%}]}
        playback: {segments: all, metadata: false, verificationPings: false}
        breaks: {interstitials: true, podDuration: 10s}
        \(StarvedMachine.budgets)
        thresholds: [breaks.on_time >= 0%]
        """
    }
}
