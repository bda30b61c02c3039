import Foundation
import TestSupport
import Testing

/// Capacity results as a user meets them: as pages, against each other, over time.
@Suite(.fewAtOnce) struct CapacityResultTests {
    /// Writes a capacity result below `results/RELEASE`, with what it found and when.
    private static func write(
        _ value: Double,
        _ release: String,
        number: Int,
        in folder: TemporaryFolder,
        change: (inout [String: Any]) -> Void = { _ in }
    ) throws {
        let parsed = try JSONSerialization.jsonObject(with: Data(contentsOf: GoldenFile.capacity))
        var document = try #require(parsed as? [String: Any])
        var (answer, search) = (
            document["answer"] as? [String: Any] ?? [:], document["search"] as? [String: Any] ?? [:]
        )
        answer["value"] = value
        answer["lower"] = value / 1.06
        answer["upper"] = value * 1.06
        search["id"] = "\(release)-\(number)"
        search["labels"] = ["release": release]
        search["started_at_us"] = 1_795_291_200_000_000 + number * 86_400_000_000
        document["answer"] = answer
        document["search"] = search
        change(&document)
        try write(document, to: "results/\(release)/capacity-\(number).json", in: folder)
    }

    /// Writes the result of a run, one of a search where `search` names it.
    private static func writeRun(to path: String, search: String?, in folder: TemporaryFolder) throws {
        let parsed = try JSONSerialization.jsonObject(with: Data(contentsOf: GoldenFile.result))
        var document = try #require(parsed as? [String: Any])
        var run = document["run"] as? [String: Any] ?? [:]
        run["labels"] = search.map { ["release": "1.4.1", "capacity": $0] } ?? ["release": "1.4.1"]
        document["run"] = run
        try write(document, to: path, in: folder)
    }

    private static func write(_ document: [String: Any], to path: String, in folder: TemporaryFolder) throws {
        let file = folder.url.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try JSONSerialization.data(withJSONObject: document).write(to: file)
    }

    private static func compare(_ base: String, _ candidate: String, in folder: TemporaryFolder, _ more: [String] = [])
        async throws -> ChildProcess.End
    {
        func place(_ input: String) -> String { input.hasPrefix("label:") ? input : folder.path + "/results/" + input }
        return try await PodswarmExecutable.run(
            ["compare", place(base), "--against", place(candidate), "--results", folder.path + "/results"] + more
        )
    }

    @Test func aCapacityThatFellIsARegression() async throws {
        let folder = try TemporaryFolder()
        for number in 0..<2 {
            try Self.write(2_000 + Double(number), "1.4.1", number: number, in: folder)
            try Self.write(1_400 + Double(number), "1.4.2", number: number + 2, in: folder)
        }
        for (base, candidate) in [("1.4.1", "1.4.2"), ("label:release=1.4.1", "label:release=1.4.2")] {
            let fell = try await Self.compare(base, candidate, in: folder)
            #expect(fell.status == 1, "\(fell.output)\(fell.errors)")
            #expect(fell.output.contains("LESS CAPACITY") && fell.output.contains("The capacity fell"))
            let rose = try await Self.compare(candidate, base, in: folder)
            #expect(rose.status == 0 && rose.output.contains("NO LESS CAPACITY"))
        }
        let json = try await Self.compare("1.4.1", "1.4.2", in: folder, ["--json", "-"])
        let document = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
        #expect(json.status == 1 && document?["schema"] as? String == "podswarm.capacity-comparison")
        let markdown = try await Self.compare("1.4.1", "1.4.2", in: folder, ["--markdown", "-"])
        #expect(markdown.output.hasPrefix("### podswarm: ❌ less capacity\n"))
        let open = try await Self.compare("1.4.1/capacity-0.json", "1.4.2", in: folder, ["--html", "x.html"])
        #expect(open.status == 2 && open.errors.contains("are for results of runs"))
    }

    @Test func resultsOfBothKindsAreAMistake() async throws {
        let folder = try TemporaryFolder()
        try Self.write(2_000, "1.4.1", number: 0, in: folder)
        try Self.writeRun(to: "results/runs/a.json", search: nil, in: folder)
        let sides = try await Self.compare("1.4.1", "runs", in: folder)
        #expect(sides.status == 2 && sides.errors.contains("cannot be held against each other"))
        let one = try await Self.compare(
            "1.4.1",
            "1.4.1",
            in: folder,
            ["--against", folder.path + "/results/runs/a.json"]
        )
        #expect(one.status == 2)
        let trend = try await PodswarmExecutable.run([
            "trend", folder.path + "/results/1.4.1/capacity-0.json", folder.path + "/results/runs/a.json",
        ])
        #expect(trend.status == 2 && trend.errors.contains("cannot be held against each other"))
    }

    /// A nightly history must not follow the newest of them.
    @Test func runsOfASearchArePassedOverUnlessTheyAreAskedFor() async throws {
        let folder = try TemporaryFolder()
        try Self.writeRun(to: "results/nightly/a.json", search: nil, in: folder)
        try Self.writeRun(to: "results/nightly/capacity-x/nightly/b.json", search: "x", in: folder)
        func trend(_ input: String, _ more: [String] = []) async throws -> ChildProcess.End {
            try await PodswarmExecutable.run(
                ["trend", input, "--json", "-", "--results", folder.path + "/results"] + more
            )
        }
        let nightly = folder.path + "/results/nightly"
        for input in [nightly, "label:release=1.4.1"] {
            let history = try await trend(input)
            #expect(history.output.contains("nightly/a.json"))
            #expect(!history.output.contains("nightly/b.json"))
        }
        let asked = try await trend("label:capacity=x")
        #expect(asked.output.contains("nightly/b.json") && !asked.output.contains("nightly/a.json"))
        let named = try await trend(nightly + "/capacity-x/nightly/b.json")
        #expect(named.output.contains("nightly/b.json"))
        let folderOfThem = try await trend(nightly + "/capacity-x")
        #expect(folderOfThem.status == 2)
        #expect(folderOfThem.errors.contains("no results but the runs of searches for a capacity"))
    }

    @Test func theNewestCapacityIsHeldAgainstTheEarlier() async throws {
        let folder = try TemporaryFolder()
        for (number, value) in [2_000, 2_050, 1_960, 2_020, 1_990, 2_010, 1_300].enumerated() {
            try Self.write(Double(value), "nightly", number: number, in: folder)
        }
        try Self.writeRun(to: "results/nightly/capacity-0/b.json", search: "x", in: folder)
        let nightly = folder.path + "/results/nightly"
        let fell = try await PodswarmExecutable.run(["trend", nightly])
        #expect(fell.status == 1, "\(fell.output)\(fell.errors)")
        #expect(fell.output.contains("capacity.viewers is worse"))
        // Where runs lie beside them, those are meant, unless somebody says otherwise.
        try Self.writeRun(to: "results/nightly/a.json", search: nil, in: folder)
        let runs = try await PodswarmExecutable.run(["trend", nightly])
        #expect(runs.status == 3 && runs.output.contains("see --capacity"))
        let asked = try await PodswarmExecutable.run(["trend", nightly, "--capacity"])
        #expect(asked.status == 1 && asked.output.contains("capacity.viewers is worse"))
    }

    @Test func theSchemaIsThatOfCapacityResults() async throws {
        let schema = try await PodswarmExecutable.run(["result", "schema", "--capacity"])
        #expect(schema.status == 0 && schema.output.contains("podswarm.capacity"))
    }

    @Test(arguments: ["light", "dark", "phone"]) func aCapacityCanBeReadByEverybody(look: String) async throws {
        let folder = try TemporaryFolder()
        let page = folder.url.appending(path: "capacity.html")
        let written = try await PodswarmExecutable.run([
            "report", GoldenFile.capacity.path, "--output", page.path,
        ])
        #expect(written.status == 0, "\(written.errors)")
        let options = ["light": [], "dark": ["--theme", "dark"], "phone": ["--width", "390", "--height", "844"]]
        let seen = try await Browser.inspect(
            page,
            [
                "--axe", "--fits", "--walk", ".plot", "--press", "ArrowRight", "--expect", "Gave first",
            ] + (options[look] ?? [])
        )
        #expect(seen.complaints == [])
        #expect(seen.requests == 1)
        let walk = try #require(seen.walk)
        #expect(walk.wanted == 3 && walk.reached == walk.wanted)
    }
}
