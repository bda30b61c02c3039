import Foundation
import Profile
import TestSupport
import Testing

@testable import Origin

@Suite struct ChannelPlanTests {
    @Test func sectionsAreRead() throws {
        let plan = try ChannelPlan.read(
            """
            lowLatency: {partDuration: 250ms, blocking: false, deltaUpdates: YES, preloadHints: false,
              renditionReports: false, holdBack: 9s, partHoldBack: 1s, goneHintEvery: 5}
            renditions: {audio: [en, es], subtitles: de}
            variables: {base: up, token: key}
            steering: {pathways: [x, y], ttl: 20s, switchEvery: 1m, tooMany: 12.5%, retryAfter: 3s}
            """
        )
        #expect(
            plan.lowLatency
                == LowLatencyPlan(
                    partDuration: .milliseconds(250),
                    blocking: false,
                    deltaUpdates: .segments,
                    preloadHints: false,
                    renditionReports: false,
                    holdBack: .seconds(9),
                    partHoldBack: .seconds(1),
                    goneHintEvery: 5
                )
        )
        #expect(plan.renditions == RenditionsPlan(audio: ["en", "es"], subtitles: ["de"]))
        #expect(plan.variables == VariablesPlan(base: "up", token: "key"))
        #expect(
            plan.steering
                == SteeringPlan(
                    pathways: ["x", "y"],
                    ttl: .seconds(20),
                    switchEvery: .seconds(60),
                    tooMany: 0.125,
                    retryAfter: .seconds(3)
                )
        )
        #expect(try ChannelPlan.read("") == .usual)
        #expect(try ChannelPlan.read("lowLatency: {}").lowLatency == LowLatencyPlan())
    }

    @Test func shippedPlansAreValid() throws {
        let folder = PackageFolder.file("Profiles/channels")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.contains { $0.lastPathComponent == "low-latency.yaml" })
        for file in files {
            let plan = try ChannelPlan.read(try String(contentsOf: file, encoding: .utf8))
            try plan.validate(on: OriginConfiguration())
        }
    }

    private static let conflicts: [(text: String, part: String)] = [
        ("lowLatency: {partDuration: 2s}", "does not divide a segment"),
        ("lowLatency: {partDuration: 1s, partHoldBack: 1500ms}", "two part durations"),
        ("lowLatency: {holdBack: 5s}", "three segment durations"),
        ("lowLatency: {deltaUpdates: v2}", "lowLatency.deltaUpdates: a window of 6 segments leaves nothing to skip"),
    ]

    @Test(arguments: conflicts)
    func whatDoesNotFitTheChannelIsRefused(text: String, part: String) throws {
        var configuration = OriginConfiguration()
        configuration.windowSegments = 6
        let plan = try ChannelPlan.read(text)
        let error = try #require(throws: OriginConfigurationError.self) { try plan.validate(on: configuration) }
        #expect(error.mistakes.contains { $0.contains(part) }, "\(error)")
    }
}
