import Destinations
import LoadProfile
import Rulebook
import Testing
import Transport

@testable import Audience
@testable import Swarm
@testable import Viewer

/// What crosses between a crowd, its transport and its recorder.
@Suite struct CrowdMappingTests {
    @Test func aTokenComesBackAsItWentOut() {
        for index in [0, 1, 4999, 1 << 24] {
            for detail in [UInt8(0), 9, CrowdToken.join] {
                for serial in [UInt16(0), 1, .max] {
                    let token = CrowdToken(index: index, detail: detail, breakSerial: serial)
                    #expect(CrowdToken(rawValue: token.rawValue) == token)
                }
            }
        }
    }

    @Test func aViewerHasRoomForEachOfItsTimers() {
        #expect(ViewerTimer.allCases.allSatisfy { Int($0.rawValue) < ViewerSlot.Deadlines.count })
    }

    @Test func everyRoleIsMeasuredAndOnlyReadBodiesAreKept() {
        #expect(Set(ViewerRole.allCases.map(\.kind)) == Set(RequestKind.allCases))
        #expect(
            ViewerRole.allCases.filter { !$0.keepsBody } == [
                .segment, .podSegment, .verification, .beacon, .part, .sessionUpdate,
            ]
        )
    }

    @Test func theTransportIsSetUpAsThePlanSays() {
        var plan = ConnectionPlan.forTests
        plan.version = .http2
        plan.verifiesTLS = false
        plan.caFile = "/ca.pem"
        plan.sourceAddresses = ["127.0.0.2"]
        plan.maximumRedirects = 5
        plan.acceptsCompression = false
        let hosts = AuthorisedHosts(["example.com"])
        let configuration = TransportConfiguration(plan, permitting: hosts)
        #expect(configuration.httpVersion == .http2)
        #expect(!configuration.verifyTLS)
        #expect(configuration.caFile == "/ca.pem")
        #expect(configuration.sourceAddresses == ["127.0.0.2"])
        #expect(configuration.maximumRedirects == 5)
        #expect(!configuration.acceptEncoding)
        #expect(configuration.maximumBodyBytes == 1 << 20)
        #expect(configuration.totalTimeout == .seconds(10))
        #expect(configuration.authorisedHosts.permits(url: "https://example.com/x"))
        #expect(!configuration.authorisedHosts.permits(url: "https://example.org/x"))
    }
}
