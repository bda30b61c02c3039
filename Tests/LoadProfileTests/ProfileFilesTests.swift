import AdServing
import Foundation
import Profile
import TestSupport
import Testing
import Values

/// The profiles that podswarm ships, beside this package's Sources.
enum ProfileFiles {
    static let folder = PackageFolder.file("Profiles").path

    static func text(of name: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(name).yaml", encoding: .utf8)
    }

    static func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
            .map { String($0.dropLast(5)) }.sorted()
    }

    static func plan(_ name: String, _ overrides: Override...) throws -> LoadPlan {
        try Samples.reader.read(contentsOf: "\(folder)/\(name).yaml", overrides: overrides)
    }
}

@Suite struct ProfileFilesTests {
    @Test func everyShippedProfileIsValidAndNamedAfterItsFile() throws {
        let names = try ProfileFiles.names()
        #expect(Set(names).isSuperset(of: ["guide-sample", "pod-serving-template", "prime-time", "quick", "scale"]))
        for name in names { #expect(try ProfileFiles.plan(name).name == name) }
    }

    /// The embedded origin in the shapes of other targets.
    @Test func everyProfileOfATargetIsValidAndNamedAfterItsFile() throws {
        let folder = ProfileFiles.folder + "/targets"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(files == ["eyevinn-proxy.yaml", "media-tailor.yaml", "url-templates.yaml"])
        var shapes: [EmbeddedShape] = []
        for file in files {
            let plan = try Samples.reader.read(contentsOf: "\(folder)/\(file)")
            #expect(plan.name + ".yaml" == file)
            shapes.append(try plan.embedded.shape)
        }
        #expect(shapes == [.eyevinnProxy, .mediaTailorExplicit, .urlTemplates])
    }

    @Test func everyProfileOfTheCookbookIsValidAndNamedAfterItsFile() throws {
        let folder = ProfileFiles.folder + "/cookbook"
        let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }
        #expect(!files.isEmpty)
        for file in files { #expect(try ProfileReader().read(contentsOf: "\(folder)/\(file)").name + ".yaml" == file) }
    }

    /// The target of one's own that a comment in each of them shows is one that can be read.
    @Test(arguments: ["eyevinn-proxy", "media-tailor", "url-templates"])
    func theTargetInTheCommentCanBePutInPlace(_ name: String) throws {
        let text = try ProfileFiles.text(of: "targets/\(name)")
        let comment = text.split(separator: "\n", omittingEmptySubsequences: false).filter { $0.hasPrefix("#   ") }
        let lines = comment.map { $0.dropFirst(4) }.drop { $0 != "target:" }
        let start = try #require(text.range(of: "\ntarget:\n")?.lowerBound)
        let end = try #require(text.range(of: "\naudience:\n")?.lowerBound)
        // Beacons are withheld from a target of one's own.
        let rest = text[end...].replacing("  - beacon.errors == 0%\n", with: "")
        let own = text[..<start] + "\n" + lines.joined(separator: "\n") + rest
        let plan = try Samples.reader.read(yaml: String(own), path: "Profiles/targets/\(name).yaml")
        #expect(!plan.target.authorisedHosts.isEmpty)
    }

    /// A break counts if it starts before the last seconds: those of a pod and of what is held back, or of the grace.
    @Test(arguments: [("quick", 20, 500, 2, 16), ("prime-time", 25, 5_000, 3, 3), ("targeted", 30, 2_000, 3, 4)])
    func breaksFollowTheRampWheneverARunStarts(name: String, every: Int, viewers: Int, breaks: Int, last: Int) throws {
        let plan = try ProfileFiles.plan(name)
        #expect(plan.breaks.source == .every(interval: .seconds(every), offset: .zero))
        #expect(plan.audience.viewers == viewers && plan.breaks.grace <= .seconds(last))
        let watched = plan.audience.ramp...(plan.duration - .seconds(last))
        for phase in stride(from: 0, to: every * 1_000, by: 250) {
            let starts = stride(from: every * 1_000 - phase, to: 3_600_000, by: every * 1_000)
            let count = starts.count { watched.contains(.milliseconds($0)) }
            #expect(count >= breaks, "\(phase) ms")
        }
    }

    /// The guide's rule (next whole minute, one later if fewer than 30 s remain) and the sample's identifier (minute
    /// of the click plus one), both in seconds of a clock on which the run starts at `start`.
    @Test(arguments: 0..<60) func guideSampleSplitsABreakThatTheRunLivesToSee(_ start: Int) throws {
        let plan = try ProfileFiles.plan("guide-sample")
        #expect((plan.breaks.source, plan.breaks.podIdentifier) == (.guideMinute(repeats: false), .guideSample))
        let ramp = Int(plan.audience.ramp / .seconds(1))
        let lastStart = start + Int((plan.duration - plan.breaks.podDuration) / .seconds(1))
        var viewers: [Int: [Int: Int]] = [:]
        for viewer in 0..<plan.audience.viewers {
            let click = start + ramp * viewer / plan.audience.viewers
            let next = (click / 60 + 1) * 60
            viewers[next - click < 30 ? next + 60 : next, default: [:]][click / 60 + 1, default: 0] += 1
        }
        let split = viewers.filter { $0.key <= lastStart && $0.value.count == 2 }
        #expect(split.contains { ($0.value.values.min() ?? 0) * 20 >= plan.audience.viewers }, "\(viewers)")
    }

    @Test func theTemplateNamesNoHostOfAnybody() throws {
        let text = try ProfileFiles.text(of: "pod-serving-template")
        let target = try ProfileFiles.plan("pod-serving-template").podServing
        #expect(text.contains("FILL IN"))
        #expect(target.authorisedHosts.allSatisfy { $0.hasSuffix("example.com") })
    }

    /// What the template says in comments of impressions is right where it stands.
    @Test func theTemplatesImpressionsCanBePutInPlace() throws {
        let text = try ProfileFiles.text(of: "pod-serving-template")
        for (line, impressions) in [
            ("impressions: allowed", ImpressionPlan.allowed),
            ("impressionSink: http://127.0.0.1:8099", .sink("http://127.0.0.1:8099")),
        ] {
            #expect(text.contains("\n# \(line)\n"))
            let uncommented = text.replacing("\n# \(line)\n", with: "\n\(line)\n")
            for segments in ["none", "ads"] {
                let yaml = uncommented.replacing("segments: none\n", with: "segments: \(segments)\n")
                let plan = try Samples.reader.read(yaml: yaml, path: "my-channel.yaml")
                #expect(plan.impressions == impressions && plan.playback.segments.rawValue == segments)
            }
        }
    }

    @Test func theTemplatesStepsAreThoseOfTheReadme() throws {
        func steps(in text: String) -> [String] {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: ["#", "$", " "]) }
                .map { String($0.prefix { $0 != "#" }) }
                .filter { $0.hasPrefix("podswarm ") && $0.contains(" my-channel.yaml") }
                .map { $0.split(separator: " ")[1...].prefix { $0 != "my-channel.yaml" }.joined(separator: " ") }
        }
        let readme = try String(contentsOf: PackageFolder.file("README.md"), encoding: .utf8)
        let template = steps(in: try ProfileFiles.text(of: "pod-serving-template"))
        #expect(template == ["profile validate", "check", "plan", "run"])
        #expect(Array(steps(in: readme).prefix(template.count)) == template)
    }

    @Test func aCopyOfTheTemplateIsNamedAfterItsFile() throws {
        let text = try ProfileFiles.text(of: "pod-serving-template")
        #expect(try Samples.reader.read(yaml: text, path: "my-channel.yaml").name == "my-channel")
        #expect(try Samples.reader.read(yaml: "name: mine\n" + text, path: "my-channel.yaml").name == "mine")
    }
}
