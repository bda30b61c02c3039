import Crypto
import Foundation
import HLS
import NIOSSL
import SwiftASN1
import X509

/// A certificate made at start, for `localhost`, `127.0.0.1` and `::1`, and the key that goes with it.
///
/// It lives as long as the process and is trusted by nobody who was not handed its PEM.
struct ServerIdentity: Sendable {
    /// The certificate alone, for clients to trust.
    let certificatePEM: String
    private let keyPEM: String

    init(at now: WallTime) throws {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("podswarm reference origin") }
        let loopback6: [UInt8] = Array(repeating: 0, count: 15) + [1]
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: .init(timeIntervalSince1970: Double(now.epochSeconds - 3_600)),
            notValidAfter: .init(timeIntervalSince1970: Double(now.epochSeconds + 30 * 86_400)),
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(digitalSignature: true, keyCertSign: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames([
                    .dnsName("localhost"),
                    .ipAddress(ASN1OctetString(contentBytes: [127, 0, 0, 1])),
                    .ipAddress(ASN1OctetString(contentBytes: loopback6[...])),
                ])
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        certificatePEM = try certificate.serializeAsPEM().pemString
        keyPEM = key.pemRepresentation
    }

    /// A server configuration that presents this identity.
    func tlsConfiguration() throws -> TLSConfiguration {
        let certificate = try NIOSSLCertificate(bytes: Array(certificatePEM.utf8), format: .pem)
        let key = try NIOSSLPrivateKey(bytes: Array(keyPEM.utf8), format: .pem)
        return .makeServerConfiguration(certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
    }
}
