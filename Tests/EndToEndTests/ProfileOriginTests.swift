import Foundation
import FoundationNetworking
import TestSupport
import Testing

/// `podswarm origin --profile`: what a run's own origin can do, for whoever asks.
@Suite(.fewAtOnce) struct ProfileOriginTests {
    private static let profile = FastProfile(
        target: FastProfile.embedded.target + """
                adTagParameters: {cohort: "{region}"}
                aimBy: cohort
                signing: akamai
                sessionPaths: true
                faults: faults.yaml

            """
    )
    private static let labels = ["--set", "audience.traits=[{name: region, values: [north, south]}]"]

    @Test func podsAreAimedSignedAndUnderPathsOfSessions() async throws {
        let rehearsal = try Rehearsal(Self.profile.yaml, faults: "[]")
        let arguments = ["--profile", rehearsal.profile] + Self.labels
        try await RunningOrigin.serving(arguments) { origin in
            let north = try await Self.playlist(of: origin, cohort: "north")
            let other = try await Self.playlist(of: origin, cohort: "north")
            let south = try await Self.playlist(of: origin, cohort: "south")
            #expect(north.signatures.count > 1)
            #expect(Set(north.signatures).isDisjoint(with: other.signatures), "each answer is signed anew")
            #expect(north.addresses.allSatisfy { $0.contains(/\/s\/[0-9a-f]{16}\//) }, "\(north.addresses)")
            #expect(north.creatives == other.creatives)
            #expect(north.creatives != south.creatives, "cohorts have ads of their own")
        }
    }

    @Test func whatTheProfileSaysCanBeOverriddenAndTlsAdded() async throws {
        let rehearsal = try Rehearsal(Self.profile.yaml, faults: "[{fault: error_status, kinds: [multivariant]}]")
        let folder = try TemporaryFolder()
        let certificate = folder.url.appending(path: "origin.pem").path
        let arguments = ["--profile", rehearsal.profile, "--tls", "--certificate-file", certificate] + Self.labels
        try await RunningOrigin.serving(arguments) { origin in
            #expect(origin.url.hasPrefix("https://"))
            #expect(origin.certificate == certificate)
        }
        let plain = ["--profile", rehearsal.profile, "--set", "target.embedded.signing=cloudfront"] + Self.labels
        try await RunningOrigin.serving(plain) { origin in
            let playlist = try await Self.playlist(of: origin, cohort: "north")
            #expect(playlist.signatures.isEmpty)
            #expect(playlist.addresses.allSatisfy { $0.contains("Key-Pair-Id=") })
            let channel = try URL.parsed("\(origin.url)/live/main/multivariant.m3u8")
            let (_, answer) = try await URLSession.shared.data(from: channel)
            #expect((answer as? HTTPURLResponse)?.statusCode == 503, "the profile's faults are taken along")
        }
    }

    /// The lines of a pod's media playlist that are addresses.
    private struct Playlist {
        var addresses: [String]

        var signatures: [String] {
            addresses.compactMap { $0.firstMatch(of: /hmac=([0-9a-f]+)/).map { String($0.1) } }
        }

        /// Which ads they are, without what is a session's own.
        var creatives: [String] {
            addresses.compactMap { $0.firstMatch(of: /profile\/[^?]+/).map { String($0.0) } }
        }
    }

    private static func playlist(of origin: RunningOrigin, cohort: String) async throws -> Playlist {
        let stream = try await origin.register(["cohort": cohort])
        let manifest = origin.podURL("pod/7", streamID: stream, milliseconds: 2_000)
        let variant = try #require(try await addresses(at: manifest).first)
        let media = URL(string: variant, relativeTo: try URL.parsed(manifest))?.absoluteString
        return Playlist(addresses: try await addresses(at: try #require(media)))
    }

    private static func addresses(at url: String) async throws -> [String] {
        let (data, _) = try await URLSession.shared.data(from: try URL.parsed(url))
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("#") }
    }
}
