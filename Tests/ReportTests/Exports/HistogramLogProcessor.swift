import Foundation
import TestSupport

/// HdrHistogram's own log processor, which knows nothing of podswarm.
enum HistogramLogProcessor {
    /// What it makes of the lines of one tag.
    static func output(tag: String, of log: Data) throws -> String {
        let archive = "/usr/share/java/hdrhistogram.jar"
        guard FileManager.default.fileExists(atPath: archive) else { throw InstalledProgram.Missing(name: archive) }
        let output = try TemporaryFolder.lending { folder in
            try InstalledProgram("java").output(
                ["-Xshare:auto", "-cp", archive, "org.HdrHistogram.HistogramLogProcessor", "-tag", tag]
                    + ["-outputValueUnitRatio", "1", "-i", try folder.write(log, to: "log")]
            )
        }
        return String(decoding: output, as: UTF8.self)
    }
}
