import AdServing
import Audience
import LoadProfile
import Testing

@testable import Swarm

@Suite struct ClientDataTests {
    private static let viewer = ViewerIdentity(number: 3, primaryID: "a-b", traits: ["event": "cup \"26\""])

    private static func told(
        _ carriage: ClientDataPlan.Carriage,
        _ role: ViewerRole,
        _ url: String,
        content: String? = nil
    )
        -> (url: String, fields: [String])
    {
        let data = ClientData(ClientDataPlan(carriage: carriage, contentID: content))
        let told = data.told(role, url: url, by: viewer)
        return (told.url, told.fields.map { "\($0.name): \($0.value)" })
    }

    @Test func aParameterHasTheKeysInTheirOrder() {
        let value = "CMCD=cid%3D%22cup%20%5C%2226%5C%22%22%2Cot%3Dm%2Csf%3Dh%2Csid%3D%22a-b%22%2Cst%3Dl"
        let told = Self.told(.query, .playlist, "http://x/a.m3u8", content: "{event}")
        #expect(told.url == "http://x/a.m3u8?\(value)" && told.fields == [])
        #expect(Self.told(.query, .segment, "http://x/a.ts?b").url.hasPrefix("http://x/a.ts?b&CMCD=ot%3Dav%2C"))
    }

    @Test func headersAreThoseOfTheirKeys() {
        let told = Self.told(.header, .podManifest, "http://x/a.m3u8", content: "c")
        let session = "CMCD-Session: cid=\"c\",sf=h,sid=\"a-b\",st=l"
        #expect(told.url == "http://x/a.m3u8" && told.fields == ["CMCD-Object: ot=m", session])
    }

    @Test(arguments: [ViewerRole.registration, .metadata, .verification, .beacon, .steering])
    func whatIsNoPartOfTheStreamTellsNothing(role: ViewerRole) {
        for carriage in ClientDataPlan.Carriage.allCases {
            let told = Self.told(carriage, role, "http://x/a")
            #expect(told.url == "http://x/a" && told.fields == [])
        }
    }
}
