import AdServing
import HLS
import HTTPTypes
import NIOCore
import Testing

@testable import Origin

/// Planned faults of sessions, tokens, redirects and tracking make the answer wrong in their own way.
@Suite struct SessionFaultTests {
    /// The path and query of a URL of the probe's origin.
    private func path(_ url: String?) throws -> String {
        try #require(url).replacing("http://127.0.0.1:8080", with: "")
    }

    private func metadata(_ answer: Answer) throws -> SessionMetadata {
        try Array(answer.body.readableBytesView).withUnsafeBytes { try SessionMetadata(json: $0) }
    }

    @Test(arguments: [("session_expired", 410), ("access_refused", 403), ("access_refused, status: 401", 401)])
    func metadataIsRefused(fault: String, status: Int) throws {
        let probe = try ServiceProbe(faults: "- {fault: \(fault)}")
        let session = try probe.register()
        #expect(probe.get(try path(session.metadataURL)).status.code == status)
        let streamID = try #require(session.streamID)
        #expect(probe.get(probe.manifestPath("pod/1", streamID)).status == .ok)
    }

    @Test(arguments: [
        ("token_expired", "pod/3", AuthTokenMistake.expired(bySeconds: 310)),
        ("token_expiry_in_milliseconds", "pod/3", .expiryInMilliseconds(1_795_249_320_000)),
        ("token_of_another_break", "pod/3", .anotherBreak(token: "pod/2", address: "pod/3")),
        (
            "token_of_another_break", "ad_break_id/mid-3",
            .anotherBreak(token: "ad_break_id/mid-3-before", address: "ad_break_id/mid-3")
        ),
    ])
    func theAddressesOfAPodAreSignedWrongInOneWay(fault: String, identifier: String, mistake: AuthTokenMistake) throws {
        let probe = try ServiceProbe(faults: "- {fault: \(fault)}")
        var bodies: Set<UInt64> = []
        for _ in 0..<2 {
            let streamID = try #require(try probe.register().streamID)
            let answer = probe.get(probe.manifestPath(identifier, streamID))
            bodies.insert(probe.fingerprint(answer, own: streamID))
            let uris = try probe.multivariant(answer).variants.map(\.uri)
            #expect(!uris.isEmpty)
            for uri in uris {
                #expect(AuthTokenCheck.mistakes(in: uri, at: probe.now) == [mistake])
                #expect(probe.get(uri).status == .ok)
            }
            probe.now = probe.now + .milliseconds(400)
        }
        #expect(bodies.count == 1, "a token of its own would be another pod")
    }

    @Test func mediaVerificationIsDeferredOrNotFound() throws {
        for (fault, status) in [("verification_deferred", 202), ("verification_not_found", 404), ("ping_lost", 503)] {
            let probe = try ServiceProbe(faults: "- {fault: \(fault)}")
            let session = try probe.register()
            let streamID = try #require(session.streamID)
            _ = probe.get(probe.manifestPath("pod/1", streamID))
            let tags = try metadata(probe.get(try path(session.metadataURL))).tags
            let mediaID = try #require(tags.first?.prefix)
            let base = try #require(session.mediaVerificationURL)
            let url = try path(MediaVerification.url(base: base, mediaID: mediaID))
            #expect(probe.get(url).status.code == status, "\(fault)")
        }
    }

    @Test func metadataLagsBehindThePod() throws {
        let probe = try ServiceProbe(faults: "- {fault: metadata_lag}")
        let session = try probe.register()
        _ = probe.get(probe.manifestPath("pod/1", try #require(session.streamID)))
        let lagging = try metadata(probe.get(try path(session.metadataURL)))
        #expect(lagging.tags.isEmpty && lagging.ads.isEmpty && lagging.adBreaks.isEmpty)
    }

    @Test func metadataListsEachEventTwice() throws {
        let probe = try ServiceProbe(faults: "- {fault: ping_doubled}")
        let session = try probe.register()
        let url = try path(session.metadataURL)
        #expect(try metadata(probe.get(url)).tags.isEmpty)
        _ = probe.get(probe.manifestPath("pod/1", try #require(session.streamID)))
        let doubled = try metadata(probe.get(url))
        let tags = Set(doubled.tags.map(\.prefix))
        #expect(tags.count == doubled.ads.count * MediaTag.Event.allCases.count * 2)
        for prefix in tags where !prefix.hasSuffix("-again") { #expect(tags.contains("\(prefix)-again")) }
        #expect(doubled.doubledEvent(ofAds: Set(doubled.ads.map(\.id))) != nil)
    }

    @Test func creativeSignallingListsAnEventTwice() throws {
        let channel = "interstitials: [{id: 'm-{start}', every: 60s, assets: 2, assetDuration: 8s, beacons: [list]}]"
        for (faults, isDoubled) in [("", false), ("- {fault: ping_doubled}", true)] {
            let probe = try ServiceProbe(faults: faults, channel: channel)
            let body = Array(probe.get("/interstitials/m-1795248720/assets.json").body.readableBytesView)
            let list = try AssetList(parsing: body)
            let signaling = [list.signaling] + list.assets.map(\.signaling)
            #expect(signaling.count == 3)
            #expect(signaling.allSatisfy { ($0?.doubledEvent != nil) == isDoubled })
        }
    }

    @Test func aTrackingSectionListsAnEventTwice() throws {
        for (faults, event) in [("", nil), ("- {fault: ping_doubled}", "impression")] {
            let probe = try ServiceProbe(faults: faults)
            let url = "/v1/interstitials/a/live/avail-1795248720.json?aws.reportingMode=CLIENT"
            let list = try AssetList(parsing: Array(probe.get(url).body.readableBytesView))
            #expect(list.assets.allSatisfy { $0.beacons.count == (event == nil ? 6 : 7) })
            #expect(list.doubledEvent == event)
        }
    }

    @Test func aPodThatIsDecidedAgainIsListedOnce() throws {
        let probe = try ServiceProbe(faults: "- {fault: pod_changed_on_repeat}")
        let session = try probe.register()
        let streamID = try #require(session.streamID)
        for _ in 0..<3 { _ = probe.get(probe.manifestPath("pod/1", streamID)) }
        let listed = try metadata(probe.get(try path(session.metadataURL)))
        #expect(listed.tags.count == listed.ads.count * MediaTag.Event.allCases.count)
        #expect(listed.doubledEvent(ofAds: Set(listed.ads.map(\.id))) == nil)
    }

    @Test func ownRedirectsSayHowOftenTheyGoOn() {
        #expect(
            OwnRedirect.read("/live/a?b=c") == OwnRedirect(target: "/live/a?b=c", isRedirected: false, onward: nil)
        )
        #expect(OwnRedirect.read("/origin/moved/a") == OwnRedirect(target: "/a", isRedirected: true, onward: nil))
        #expect(
            OwnRedirect.read("/origin/moved/origin/moved/origin/moved/a?b")
                == OwnRedirect(target: "/a?b", isRedirected: true, onward: "/origin/moved/origin/moved/a?b")
        )
        #expect(
            OwnRedirect.read("/origin/turning/a")
                == OwnRedirect(target: "/a", isRedirected: true, onward: "/origin/turning/a")
        )
    }

    @Test(arguments: [
        ("127.0.0.1:8080", "http://localhost:8080"), ("localhost:8080", "http://127.0.0.1:8080"),
        ("[::1]:8080", "http://localhost:8080"), ("127.0.0.1", "http://localhost"),
    ])
    func anotherNameOfTheHostKeepsItsPort(authority: String, other: String) throws {
        let probe = try ServiceProbe()
        var exchange = probe.exchange("/origin/health")
        exchange = Exchange(
            now: exchange.now,
            route: exchange.route,
            kind: exchange.kind,
            target: exchange.target,
            query: exchange.query,
            streamID: nil,
            acceptsGzip: false,
            method: .get,
            authority: authority,
            viewerHash: 0
        )
        #expect(probe.service.otherBase(exchange) == other)
    }
}
