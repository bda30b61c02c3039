import Rehearsal
import Results
import Testing

@Suite struct RendezvousAddressTests {
    @Test(
        arguments: [
            ("http://127.0.0.1:9470", false), ("http://127.9.8.7:9470", false), ("http://localhost:9470", false),
            ("http://[::1]:9470", false), ("https://rendezvous.example:9470", false), ("/shared/rendezvous", false),
            ("http://rendezvous.example:9470", true), ("http://127.example.com:9470", true),
            ("HTTP://192.0.2.1:9470", true), ("http://127.0.0.example:9470", true),
        ]
    )
    func aTokenIsSeenOnTheWay(address: String, isSeen: Bool) throws {
        let token = try #require(try RendezvousToken.read(file: nil, environment: Self.environment))
        let place = try RendezvousAddress(address, runID: "run", token: token, authorities: nil)
        #expect(place.showsToken == isSeen)
        #expect(try !RendezvousAddress(address, runID: "run", token: nil, authorities: nil).showsToken)
    }

    private static let environment = ["PODSWARM_RENDEZVOUS_TOKEN": "0123456789abcdef0123456789abcdef"]
}
