import Foundation
import TestSupport

/// What all transcripts find: files in their own folder, histories of results in `$SHARED` and a library of them in `$LIBRARY`, made once.
struct TranscriptFiles: Sendable {
    static let shared = Result { try TranscriptFiles() }

    let folder: TemporaryFolder
    /// Results that nothing is written beside.
    private let histories: TemporaryFolder
    private let library: TemporaryFolder
    /// Nobody listens there.
    let port: LoopbackPort

    private init() throws {
        folder = try TemporaryFolder()
        histories = try TemporaryFolder()
        library = try TemporaryFolder()
        port = try LoopbackPort(backlog: nil)
        let standing = Transcript.folder.appending(path: "Files")
        for name in try FileManager.default.contentsOfDirectory(atPath: standing.path) {
            try folder.write(Data(contentsOf: standing.appending(path: name)), to: name)
        }
        let first = PackageFolder.file("Tests/EndToEndTests/Version1")
        try FileManager.default.copyItem(at: first, to: folder.file("v1"))
        try writeProfiles()
        try folder.write("\u{0}\u{1}garbage", to: "garbage.json")
        try folder.write(Data(contentsOf: GoldenFile.result), to: "result.json")
        try folder.write(Data(contentsOf: GoldenFile.capacity), to: "capacity.json")
        try writeReleases()
        try writeNights()
        try writeCapacities()
        try LibraryFolder.write(to: library, nights: 40)
    }

    func environment() throws -> [String: String] {
        let programs = URL(filePath: try PodswarmExecutable.path()).deletingLastPathComponent().path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return [
            "PATH": "\(programs):\(path)", "PORT": "\(port.number)", "START": Rehearsal.virtualStart,
            "PYTHON": try ExternalTool.python.path(), "PACKAGE": PackageFolder.url.path,
            "SCRIPTS": PackageFolder.file("Tests/EndToEndTests/Python").path, "SHARED": histories.path,
            "LIBRARY": library.path,
        ]
    }

    private func writeProfiles() throws {
        try folder.write(FastProfile.embedded.yaml, to: "good.yaml")
        try folder.write(FastProfile.faulty.yaml, to: "faulty.yaml")
        let silent = "http://127.0.0.1:\(port.number)"
        try folder.write(FastProfile.podServing(content: "\(silent)/a.m3u8", adServer: silent).yaml, to: "target.yaml")
        try folder.write(Data((0...255).map { UInt8($0) } + [0xC3, 0x28, 0x00]), to: "binary.yaml")
        try folder.write(String(repeating: "# a very long comment\n", count: 60_000), to: "large.yaml")
        try folder.write(String(repeating: "[", count: 5_000), to: "deep.yaml")
    }

    /// Five results of each of two releases; of the second pods take longer, or another profile was run.
    private func writeReleases() throws {
        let history = try ResultHistory()
        let kinds: [(String, Double, [String: Any?])] = [
            ("equal", 1.001, [:]), ("slower", 1.3, [:]), ("unlike", 1, ["run.profile_digest": "sha256:00"]),
        ]
        for (kind, factor, changes) in kinds {
            for number in 0..<5 {
                let noise = [1, 1.02, 0.98, 1.01, 0.99][number]
                let base = try history.json(2 * number, release: "1.4.1", factor: noise)
                try histories.write(base, to: "\(kind)/1.4.1/\(number).json")
                let candidate = try history.json(2 * number + 1, release: "1.4.2", factor: noise * factor, changes)
                try histories.write(candidate, to: "\(kind)/1.4.2/\(number).json")
            }
        }
    }

    /// Forty nights with a release that takes a third more, twenty whose newest is slower, and twelve among which are foreign and
    /// doubtful results.
    private func writeNights() throws {
        let history = try ResultHistory()
        for night in 0..<40 {
            let (release, factor) = night >= 25 ? ("1.5.0", 1.33) : ("1.4.9", 1)
            let json = try history.json(night, release: release, factor: factor * ResultHistory.noise(night))
            try histories.write(json, to: "planted/\(night).json")
        }
        for night in 0..<20 {
            let factor = ResultHistory.noise(night) * (night == 19 ? 1.5 : 1)
            let json = try history.json(night, release: "1.4.9", factor: factor)
            try histories.write(json, to: "worse/\(night).json")
            if night < 4 { try histories.write(json, to: "few/\(night).json") }
            if night < 12 { try histories.write(json, to: "mixed/\(night).json") }
        }
        let other = try history.json(0, release: "1", factor: 1, ["run.profile_digest": "sha256:77"])
        try histories.write(other, to: "mixed/other.json")
        let doubts: [String: Any?] = ["health.within_budget": false, "health.reasons": ["loop delay above 10 ms"]]
        try histories.write(history.json(3, release: "1", factor: 1, doubts), to: "mixed/3.json")
        try histories.write("{}", to: "mixed/foreign.json")
    }

    /// Capacities of two releases, a history of them whose newest is smaller, and runs of searches beside runs of nights.
    private func writeCapacities() throws {
        let stored = try StoredResult(GoldenFile.capacity)
        func write(_ value: Double, _ release: String, _ number: Int, to path: String) throws {
            let changes: [String: Any?] = [
                "answer.value": value, "answer.lower": value / 1.06, "answer.upper": value * 1.06,
                "search.id": "\(release)-\(number)", "search.labels": ["release": release],
                "search.started_at_us": 1_795_291_200_000_000 + number * 86_400_000_000,
            ]
            try histories.write(stored.json(changes), to: path)
        }
        for number in 0..<2 {
            try write(2_000 + Double(number), "1.4.1", number, to: "capacities/1.4.1/\(number).json")
            try write(1_400 + Double(number), "1.4.2", number + 2, to: "capacities/1.4.2/\(number).json")
        }
        for (number, value) in [2_000, 2_050, 1_960, 2_020, 1_990, 2_010, 1_300].enumerated() {
            try write(Double(value), "nightly", number, to: "fell/\(number).json")
            try write(Double(value), "nightly", number, to: "fell-beside-runs/\(number).json")
        }
        let run = try StoredResult()
        let own = try run.json(["run.labels": ["release": "1.4.1"]])
        let searched = try run.json(["run.labels": ["release": "1.4.1", "capacity": "x"]])
        try histories.write(own, to: "nightly/a.json")
        try histories.write(searched, to: "nightly/capacity-x/b.json")
        try histories.write(searched, to: "fell/capacity-0/b.json")
        try histories.write(own, to: "fell-beside-runs/a.json")
    }
}
