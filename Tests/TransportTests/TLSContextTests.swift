import TestSupport
import Testing

@testable import Transport

/// Files that name no authority, no certificate and no key are refused, and memory that was taken is freed once.
@Suite struct TLSContextTests {
    @Test(
        arguments: [
            "", "this is no PEM\n", "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIU\n",
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
        ],
        [true, false]
    ) func spoiltFilesAreRefused(content: String, isAuthority: Bool) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(content, to: "file.pem")
        var configuration = TransportConfiguration()
        if isAuthority { configuration.caFile = file } else { configuration.clientCertificateFile = file }
        for _ in 0..<8 {
            #expect { _ = try TLSContext(configuration) } throws: { "\($0)".hasPrefix("cannot use \(file): ") }
        }
    }
}
