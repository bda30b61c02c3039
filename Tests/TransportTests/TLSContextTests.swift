import Foundation
import Sockets
import TestSupport
import Testing

@testable import Transport

/// Files that name no authority, no certificate and no key are refused, and what was begun is freed once.
@Suite struct TLSContextTests {
    enum Content: String, CaseIterable {
        case empty = ""
        case prose = "this is no PEM\n"
        case truncated = "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIU\n"
        case noCertificate = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
    }

    @Test(arguments: Content.allCases) func anAuthorityThatIsNoneIsRefused(content: Content) throws {
        try refuses(content) { $0.caFile = $1 }
    }

    @Test(arguments: Content.allCases) func aClientCertificateThatIsNoneIsRefused(content: Content) throws {
        try refuses(content) { $0.clientCertificateFile = $1 }
    }

    private func refuses(_ content: Content, _ change: (inout TransportConfiguration, String) -> Void) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(content.rawValue, to: "file.pem")
        var configuration = TransportConfiguration()
        change(&configuration, file)
        for _ in 0..<8 {
            do {
                _ = try TLSContext(configuration)
                Issue.record("\(content) was taken")
            } catch {
                guard case .unusableFile(file, _) = error else {
                    Issue.record("\(error)")
                    return
                }
            }
        }
    }
}
