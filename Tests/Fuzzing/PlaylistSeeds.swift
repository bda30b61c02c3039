import Foundation

// Run by `.ci/fuzz playlist` from the top of the checkout: writes each playlist of the specifications as a seed for the
// fuzzer, alone and before the next one.

@main
enum PlaylistSeeds {
    static func main() throws {
        let directory = URL(fileURLWithPath: CommandLine.arguments[1])
        let texts = try ["media", "multivariant"].flatMap(examples) + [live(0)]
        for (index, text) in texts.enumerated() {
            try Data(text.utf8).write(to: directory.appendingPathComponent("example-\(index)"))
            let next = texts[(index + 1) % texts.count]
            try Data("\(text)\n#--\n\(next)".utf8).write(to: directory.appendingPathComponent("pair-\(index)"))
        }
        for versions in 2...4 {
            let course = (0..<versions).map(live).joined(separator: "#--\n")
            try Data(course.utf8).write(to: directory.appendingPathComponent("course-\(versions)"))
        }
    }

    private static func examples(_ kind: String) throws -> [String] {
        let folder = URL(fileURLWithPath: "Tests/HLSTests/Playlists/examples/\(kind)")
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }.map { try String(contentsOf: $0, encoding: .utf8) }
    }

    /// A live channel with a break that is announced, begins, ends and leaves, a version for each.
    private static func live(_ version: Int) -> String {
        var lines = ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:4", "#EXT-X-MEDIA-SEQUENCE:\(7 + version)"]
        lines.append("#EXT-X-PROGRAM-DATE-TIME:2026-11-21T20:00:\(10 + 4 * version).000Z")
        for sequence in 7 + version..<11 + version {
            if sequence == 10 { lines += ["#EXT-X-DISCONTINUITY", "#EXT-X-CUE-OUT:8"] }
            if sequence == 12 { lines += ["#EXT-X-DISCONTINUITY", "#EXT-X-CUE-IN"] }
            lines += ["#EXTINF:4.000,", "s\(sequence).m4s"]
        }
        lines.append(
            "#EXT-X-DATERANGE:ID=\"b\",START-DATE=\"2026-11-21T20:00:22Z\",PLANNED-DURATION=8,SCTE35-OUT=0xFC30"
        )
        return lines.joined(separator: "\n") + "\n"
    }
}
