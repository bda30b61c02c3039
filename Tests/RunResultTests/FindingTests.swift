import ExampleRuns
import Results
import Rules
import TestSupport
import Testing

@Suite struct FindingTests {
    /// What viewers of one loop meet in a break and outside of it.
    struct Scene: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let deeds: @Sendable (LoopRecorder, _ slot: BreakSlot) -> Void

        init(_ name: String, _ deeds: @escaping @Sendable (LoopRecorder, _ slot: BreakSlot) -> Void) {
            testDescription = name
            self.deeds = deeds
        }

        func played() -> LoopInterval {
            let recorder = LoopRecorder()
            recorder.count(.joined, by: 10)
            deeds(recorder, recorder.breakSlot(for: "a", start: 1_000, durationMilliseconds: 1))
            return recorder.whole()
        }
    }

    /// Each viewer, one after the other, is given a pod; those of a cohort are compared with one another alone.
    private static func pods(_ name: String, _ fingerprints: [UInt64], of cohorts: [String] = []) -> Scene {
        Scene(name) { recorder, slot in
            for (viewer, fingerprint) in fingerprints.enumerated() {
                let pod = ComparedContent.pod("pod/1")
                let content = cohorts.isEmpty ? pod : .ofCohort(cohorts[viewer % cohorts.count], pod)
                recorder.give(content, fingerprint, to: viewer, in: slot, at: Int64(viewer), url: "pod of \(viewer)")
            }
        }
    }

    static let scenes = [
        Scene("sightings of one code in one break") { recorder, slot in
            for (viewer, wall) in [(3, 500), (1, 100), (3, 900), (2, 300)] as [(Int, Int64)] {
                recorder.find(.emptyPod, viewer: viewer, in: slot, at: wall, url: "\(wall)")
            }
        },
        Scene("a sighting outside of breaks") { recorder, _ in recorder.find(.notAPlaylist) },
        Scene("codes of several severities") { recorder, slot in
            for code in [FindingCode.podUnderfilled, .notAPlaylist, .emptyPod] { recorder.find(code, in: slot) }
        },
        Scene("three identifiers of one break") { recorder, slot in
            for viewer in 0..<10 {
                let identifier = viewer < 7 ? "pod/1" : viewer < 9 ? "pod/2" : "pod/3"
                let (wall, url) = (2_000 - Int64(viewer), "http://a/\(identifier)?viewer=\(viewer)")
                recorder.podRequested(slot, identifier: identifier, viewer: viewer, wallMicroseconds: wall, url: url)
            }
        },
        Scene("thirty identifiers of one break") { recorder, slot in
            for viewer in 0..<30 {
                recorder.podRequested(slot, identifier: "pod/\(viewer)", viewer: viewer, wallMicroseconds: 1)
            }
        },
        Scene("one identifier and one pod") { recorder, slot in
            for viewer in 0..<10 {
                recorder.podRequested(slot, identifier: "pod/1", viewer: viewer, wallMicroseconds: 1)
                recorder.give(.pod("pod/1"), 5, to: viewer, in: slot)
            }
        },
        Scene("identifiers of two breaks") { recorder, slot in
            let later = recorder.breakSlot(for: "b", start: 2_000, durationMilliseconds: 1)
            recorder.podRequested(slot, identifier: "pod/1", viewer: 1, wallMicroseconds: 1)
            recorder.podRequested(later, identifier: "pod/2", viewer: 1, wallMicroseconds: 1)
        },
        Scene("a retry under another identifier") { recorder, slot in
            for name in ["pod/1", "pod/2"] {
                recorder.podRequested(slot, identifier: name, viewer: 4, wallMicroseconds: 1)
            }
        },
        Scene("a pod that changes for its viewer") { recorder, slot in
            for fingerprint in [1, 2] as [UInt64] { recorder.give(.pod("pod/1"), fingerprint, to: 1, in: slot) }
        },
        Scene("a pod with another segment") { recorder, slot in
            for viewer in 0..<5 {
                let (pod, ad): (UInt64, _) = viewer == 3 ? (0xab, "c") : (0xcd, "b")
                let observed = "2 ads; a 5000 ms; \(ad) 5000 ms"
                recorder.give(.pod("pod/1"), pod, to: viewer, in: slot, at: 70 + Int64(viewer), observed: observed)
            }
        },
        Scene("renditions of one pod") { recorder, slot in
            for viewer in 0..<8 {
                let (size, fingerprint) = viewer < 4 ? ("640x360", UInt64(1)) : ("320x180", 2)
                let seen = fingerprint + (viewer % 4 == 3 ? 10 : 0)
                recorder.give(.rendition(size, ofPod: "pod/1"), seen, to: viewer, in: slot, at: 70 + Int64(viewer))
            }
        }, pods("three viewers with another pod", [1, 2, 1, 1, 2, 1, 1, 2, 1]),
        pods("a pod for each cohort", [1, 2, 1, 2], of: ["a", "b"]),
        pods("a cohort that does not agree", [1, 2, 1, 2, 1, 1], of: ["a", "b"]),
    ]

    private static func told(_ sighting: Sighting?) -> String {
        guard let sighting else { return "none" }
        let evidence = sighting.evidence
        return "viewer \(sighting.viewer) at \(sighting.wallMicroseconds), '\(evidence.url)',"
            + " expected '\(evidence.expected)', observed '\(evidence.observed)'"
    }

    @Test(arguments: scenes) func itsFindingsArePinned(of scene: Scene) throws {
        let findings = RunTotals(merging: [scene.played()]).findings.map { finding in
            let viewers = (0..<100).filter { finding.viewers.contains($0) }
            let cohort = finding.cohort.map { " of \($0)" } ?? ""
            let shares = finding.shares.map {
                "  \($0.viewers) of \($0.label), \(Double($0.viewers) / Double(max(1, finding.viewersAsked)))"
            }
            let lines = [
                "\(finding.code.code) in \(finding.breakKey ?? "no break")\(cohort), \(finding.count) times",
                "  viewers \(viewers), of \(finding.viewersAsked) asked, \(finding.viewerShare)",
                "  first: \(Self.told(finding.first))", "  last: \(Self.told(finding.last))",
            ]
            return (lines + shares).joined(separator: "\n") + "\n"
        }
        let name = scene.testDescription.replacing(" ", with: "-")
        let path = "Tests/RunResultTests/Goldens/findings/\(name).txt"
        try GoldenFile.expect(findings.isEmpty ? "none\n" : findings.joined(), at: path)
    }

    @Test func viewersOnDifferentLoopsAreComparedToo() {
        let loops = (0..<2).map { index in
            Scene("") { recorder, slot in
                recorder.podRequested(slot, identifier: "pod/\(index)", viewer: index, wallMicroseconds: 0)
                recorder.give(.pod("pod/x"), UInt64(index), to: index, in: slot)
            }.played()
        }
        #expect(RunTotals(merging: loops).findings.map(\.code) == [.breakIdentifierSplit, .podMismatch])
    }

    /// Each line has two bodies and the words for what differs.
    @Test func inWhatTwoBodiesDifferIsSaidInWords() throws {
        for line in try PackageFolder.text("Tests/RunResultTests/Rules/differences.txt").split(separator: "\n") {
            let parts = line.split(separator: " -> ")
            let bodies = parts[0].split(separator: " | ").map(String.init)
            #expect(ContentSummary.difference(bodies[0], bodies[1]).kind == String(parts[1]), "\(line)")
        }
    }

    @Test func summariesAndEvidenceAreBounded() {
        let summary = ContentSummary.text("10000 pieces", (0..<10_000).lazy.map { "piece \($0)" })
        #expect((Evidence.textLimit..<Evidence.textLimit + 20).contains(summary.utf8.count))
        let short = ContentSummary.difference("2; a; b", "2; a")
        #expect(short.expected == "after 2 equal parts: b" && short.observed == "nothing after 2 equal parts")
        let long = Evidence(url: String(repeating: "x", count: 5_000), expected: "short", observed: "")
        #expect(long.url.count == Evidence.textLimit && long.expected == "short")
        let head = String(repeating: "x", count: 5_000)
        let apart = Evidence(url: "", expected: head + "a", observed: head + "b")
        #expect(apart.expected != apart.observed && apart.expected.count < Evidence.textLimit)
    }
}
