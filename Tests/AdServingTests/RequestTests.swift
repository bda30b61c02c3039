import Testing
import Values

@testable import AdServing

@Suite struct RequestTests {
    /// The event of Google's sample.
    private let event = NetworkEvent(networkCode: "21775744923", customAssetKey: "sgai-hls-live")

    @Test func thePodURLIsTheGuides() {
        let request = PodManifestRequest(
            event: event,
            identifier: .adBreakID("mid-roll-29921521"),
            streamID: StreamID("8f5e2a50-0a3c-4d8e:TUL"),
            podDuration: .milliseconds(10_000)
        )
        #expect(
            request.pathAndQuery()
                == "/linear/pods/v1/hls/network/21775744923/custom_asset/sgai-hls-live/ad_break_id/mid-roll-29921521.m3u8"
                + "?stream_id=8f5e2a50-0a3c-4d8e%3ATUL&pd=10000"
        )
    }

    @Test func optionalParametersFollowInTheirOrder() {
        let request = PodManifestRequest(
            event: event,
            identifier: .sequence(7),
            streamID: StreamID("s"),
            podDuration: .seconds(30),
            authToken: "exp=1~hmac=ab",
            custParams: "k=v&k2=v2",
            scte35: "/DA+AA=="
        )
        #expect(
            request.pathAndQuery()
                == "/linear/pods/v1/hls/network/21775744923/custom_asset/sgai-hls-live/pod/7.m3u8?stream_id=s&pd=30000"
                + "&auth-token=exp%3D1~hmac%3Dab&cust_params=k%3Dv%26k2%3Dv2&scte35=%2FDA%2BAA%3D%3D"
        )
    }

    @Test(
        arguments: [
            (.milliseconds(10_000), "&pd=10000"), (.microseconds(1_499), "&pd=1"), (.microseconds(1_500), "&pd=2"),
            (.seconds(-3), "&pd=0"), (.seconds(Int64.max), "&pd=9223372036854776"), (nil, ""),
        ] as [(Duration?, String)]
    ) func aDurationIsOfWholeMillisecondsOrLeftOut(_ duration: Duration?, _ text: String) {
        let request = PodManifestRequest(
            event: event,
            identifier: .sequence(1),
            streamID: StreamID("s"),
            podDuration: duration
        )
        #expect(request.pathAndQuery().hasSuffix("/pod/1.m3u8?stream_id=s" + text))
    }

    @Test func registrationGoesToTheEventsPath() {
        let request = RegistrationRequest(event: event)
        #expect(request.path() == "/ssai/pods/api/v1/network/21775744923/custom_asset/sgai-hls-live/stream")
        #expect(request.formBody().isEmpty)
    }

    @Test func pathPiecesAreEncoded() {
        let odd = NetworkEvent(networkCode: "1/2", customAssetKey: "a b?ü")
        let path = RegistrationRequest(event: odd).path()
        #expect(path == "/ssai/pods/api/v1/network/1%2F2/custom_asset/a%20b%3F%C3%BC/stream")
    }

    @Test func theFormIsSortedAndItsCustomParametersEncodedTwice() {
        let request = RegistrationRequest(
            event: event,
            adTagParameters: ["iu": "/6062/live", "cust_params": "section=news&tags=a,b", "an": "pod swarm+é"],
            authToken: "a=b~hmac=c"
        )
        #expect(
            request.formBody() == "an=pod%20swarm%2B%C3%A9&auth-token=a%3Db~hmac%3Dc"
                + "&cust_params=section%253Dnews%2526tags%253Da%252Cb&iu=%2F6062%2Flive"
        )
    }

    @Test(arguments: [
        (PodIdentifier.sequence(7), "pod/7"), (.sequence(0), "pod/0"),
        (.adBreakID("mid-roll-3"), "ad_break_id/mid-roll-3"), (.adBreakID("a/b c"), "ad_break_id/a%2Fb%20c"),
        (.adBreakID("é%"), "ad_break_id/%C3%A9%25"),
    ]) func identifiersReadBackAsWritten(_ identifier: PodIdentifier, _ path: String) {
        #expect(identifier.pathComponent == path)
        #expect(PodIdentifier(path: path) == identifier)
    }

    @Test(arguments: [
        "", "pod", "pod/", "pod/x", "pod/-1", "pod/+1", "pod/07", "pod/1/2", "pod/99999999999999999999", "ad_break_id/",
        "ad_break_id/a/b", "Pod/1", "/pod/1", "pods/1",
    ]) func otherPathsAreNoIdentifier(_ path: String) { #expect(PodIdentifier(path: path) == nil) }

    @Test(arguments: [
        ("https://dai.google.com/view/media/", "google_123", "https://dai.google.com/view/media/google_123"),
        ("https://dai.google.com/view/media", "google_123", "https://dai.google.com/view/media/google_123"),
        ("https://h/media/", "a/b?c", "https://h/media/a%2Fb%3Fc"),
    ]) func verificationAppendsTheMediaID(_ base: String, _ mediaID: String, _ url: String) {
        #expect(MediaVerification.url(base: base, mediaID: mediaID) == url)
    }

    @Test(arguments: [
        (204, MediaVerification.Meaning.recorded), (202, .accepted), (404, .unknown), (409, .sentByOthers),
        (200, .failed), (500, .failed), (410, .failed), (0, .failed),
    ]) func verificationStatusesMeanWhatIsDocumented(_ status: Int, _ meaning: MediaVerification.Meaning) {
        #expect(MediaVerification.meaning(status: status) == meaning)
    }

    @Test(arguments: ["", "%", "%4", "%zz", "%+1", "a%41%", "+"]) func malformedEscapesStay(_ text: String) {
        #expect(PercentEncoding.decode(text) == text.replacing("%41", with: "A"))
    }
}
