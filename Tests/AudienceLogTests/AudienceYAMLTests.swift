import Foundation
import Profile
import TestSupport
import Testing

@testable import Tools

/// What is written is what a profile takes.
@Suite struct AudienceYAMLTests {
    private static func figures(browserPlayer: String = "hlsjs") throws -> AudienceFigures {
        try LogText.figures(InventedAudience(300, seed: 2).log().joined()) { $0.browserPlayer = browserPlayer }
    }

    @Test func aProfileReadsIt() throws {
        let figures = try Self.figures(browserPlayer: "shaka")
        let folder = try TemporaryFolder()
        let text = AudienceText(figures).yaml()
        try folder.write(text, to: "final.yaml")
        #expect(text.contains("share: 100%}\n"))
        let profile = """
            duration: 6m
            target: embedded
            include: final.yaml
            breaks: {source: {every: 60s}}
            """
        let path = try folder.write(profile, to: "profile.yaml")
        let plan = try ProfileReader().read(contentsOf: path)
        #expect((plan.audience.viewers, plan.audience.curve?.points.count) == (figures.peak, figures.curve.count))
        #expect(plan.audience.ramp == .zero)
        #expect(abs(plan.audience.churnPerMinute - figures.churnPerMinute) < 0.0001)
        #expect(plan.audience.personas.map(\.persona.name).sorted() == ["avplayer", "media3", "shaka", "ua-Roku"])
        let shares = plan.audience.personas.map(\.share).reduce(0, +)
        #expect(abs(shares - 1) < 0.000_001)
    }

    @Test func whatAProfileCannotSayStandsInComments() throws {
        let text = AudienceText(try Self.figures()).yaml()
        let comments = text.split(separator: "\n").filter { $0.contains("# ") }.joined(separator: "\n")
        for words in [
            "Stays:", "Polls of AppleCoreMedia: every 4", "Break after ", "{list: [2m, 4m]}",
            "Who left and was replaced", "NAT",
        ] { #expect(comments.contains(words), "\(words): \(comments)") }
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 120 })
    }

    @Test func productsThatFewHaveAreNotNamed() {
        func player(_ name: String, _ viewers: Int, _ share: Double, _ group: PlayerGroup = .other)
            -> AudienceFigures.Player
        { AudienceFigures.Player(name: name, group: group, viewers: viewers, share: share) }
        let personas = AudiencePersona.all(
            of: [
                player("Mozilla", 90, 0.9, .browser), player("Roku", 50, 0.05), player("Alice", 4, 0.04),
                player("Rare", 500, 0.005), player("(none)", 500, 0.005),
            ],
            browserPlayer: "hlsjs"
        )
        #expect(personas.map(\.persona) == ["hlsjs", "strict", "strict"])
        #expect(personas.map(\.name) == [nil, nil, "ua-Roku"])
        #expect(personas.map(\.share) == [0.9, 0.05, 0.05])
    }

    @Test func theSharesAddUpToAll() {
        let players = (0..<3).map { index in
            AudienceFigures.Player(name: "P\(index)", group: .other, viewers: 100, share: 1.0 / 3)
        }
        #expect(AudiencePersona.all(of: players, browserPlayer: "hlsjs").map(\.share) == [0.3334, 0.3333, 0.3333])
    }
}
