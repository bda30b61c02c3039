import AdServing
import Foundation
import HLS
import Profile
import Testing

@testable import Origin

/// A run hands its settings to the origin that it starts as they are.
@Suite struct OriginSettingsTests {
    /// No setting has its default, and none of the times is whole seconds.
    private var unusual: OriginConfiguration {
        var settings = OriginConfiguration()
        settings.host = "::1"
        settings.port = 4711
        settings.usesTLS = true
        settings.useHTTP2 = true
        settings.supposesTLS = true
        settings.variantCount = 1
        settings.segmentDuration = .milliseconds(1_001)
        settings.windowSegments = 7
        settings.breakInterval = .microseconds(20_000_001)
        settings.breakOffset = .microseconds(1)
        settings.breakDuration = .nanoseconds(9_999_999_999)
        settings.announcesBreaks = false
        settings.session.networkCode = "1"
        settings.session.customAssetKey = "ключ \"\n"
        settings.adDuration = .milliseconds(2_500)
        settings.sessionValidity = .milliseconds(10_250)
        settings.metadataPollingFrequency = .milliseconds(1_500)
        settings.session.authTokenKey = "a key"
        settings.shape = .urlTemplates
        settings.reporting = .client
        settings.aimingParameter = "cohort"
        settings.signing = .cloudFront
        settings.hasSessionPaths = true
        settings.hasSessionPlaylists = true
        settings.hasVerificationConflicts = true
        settings.mediaIDs = .prefixes
        settings.redirectsMultivariant = true
        settings.closesBreaks = true
        settings.countedFields = [CountedField(.header, "x-region", showsValues: false)]
        settings.setsCookies = true
        settings.faultPlanPath = "/tmp/a b.yaml"
        settings.channelPlanPath = "/tmp/channel.yaml"
        settings.seed = .max
        settings.channelPlanText = "interstitials: []"
        settings.wallClockAhead = .seconds(3)
        settings.certificateOutput = "/tmp/certificate.pem"
        return settings
    }

    @Test func everySettingSurvivesTheWayToAChild() throws {
        let line = try JSONEncoder().encode(unusual)
        #expect(!line.contains(0x0A), "the settings are one line")
        #expect(try JSONDecoder().decode(OriginConfiguration.self, from: line) == unusual)
    }

    @Test func theTestAboveKnowsEverySetting() {
        let (standard, unusual) = (OriginConfiguration(), unusual)
        let pairs: [(any Sendable, any Sendable)] = [(standard, unusual), (standard.embedded, unusual.embedded)]
        for (usual, other) in pairs {
            for (usual, other) in zip(Mirror(reflecting: usual).children, Mirror(reflecting: other).children) {
                #expect("\(usual.value)" != "\(other.value)", "\(usual.label ?? "") has its default")
            }
        }
    }

    @Test func timesReachTheViewerUnrounded() throws {
        var settings = OriginConfiguration()
        settings.metadataPollingFrequency = .milliseconds(1_500)
        settings.sessionValidity = .milliseconds(10_250)
        let body = RegistrationResponse(settings).body(
            streamID: StreamID("abc:TUL"),
            showsStreamID: true,
            validUntil: WallTime(microseconds: 0),
            base: "http://127.0.0.1"
        )
        let session = try body.withUnsafeBytes { try StreamSession(json: $0) }
        #expect(session.pollingFrequency == .milliseconds(1_500))
        #expect(session.validFor == .milliseconds(10_250))
    }
}
