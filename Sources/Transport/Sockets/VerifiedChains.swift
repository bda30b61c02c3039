import COpenSSL
import Glibc
import Synchronization
import Values

/// The certificate chains that were verified for a name: thousands of viewers meet the same one.
///
/// The result of verification follows from the bytes of the chain, the expected name, the authorities, and the time. The first
/// two are the key; each context has authorities and a memory of its own; a result holds for a minute, so that a chain that
/// expires during a run is refused then. That the peer has the chain's key is not remembered: each handshake proves it anew
/// (RFC 8446 section 4.4.3). Only successes are kept.
final class VerifiedChains: Sendable {
    private typealias Key = [UInt8]

    /// The wall clock when the context was made: a step of it since is no fault of a certificate.
    private let made = (at: ContinuousClock.now, epochSeconds: time(nil))
    private let known = Mutex<[Key: ContinuousClock.Instant]>([:])

    private static let validity = Duration.seconds(60)
    /// Further chains are verified for each viewer.
    private static let maximumCount = 256

    /// Installs the callback of a context; this object must live as long as the context.
    func install(in context: OpaquePointer) {
        SSL_CTX_set_cert_verify_callback(
            context,
            { store, argument in
                guard let store, let argument else { return 0 }
                return Unmanaged<VerifiedChains>.fromOpaque(argument).takeUnretainedValue().verify(store)
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    private func verify(_ store: OpaquePointer) -> Int32 {
        guard let key = Self.key(of: store) else { return X509_verify_cert(store) }
        let now = ContinuousClock.now
        guard !(known.withLock { $0[key].map { now - $0 < Self.validity } ?? false }) else {
            X509_STORE_CTX_set_error(store, X509_V_OK)
            return 1
        }
        X509_STORE_CTX_set_time(store, 0, made.epochSeconds + time_t((now - made.at).components.seconds))
        let isGood = X509_verify_cert(store)
        if isGood == 1 {
            known.withLock {
                if $0.count >= Self.maximumCount { $0.removeAll() }
                $0[key] = now
            }
        }
        return isGood
    }

    /// Digests of the peer's certificates, and the expected name; nil where one is unavailable.
    private static func key(of store: OpaquePointer) -> Key? {
        guard let parameters = X509_STORE_CTX_get0_param(store) else { return nil }
        var key: Key = []
        if let address = X509_VERIFY_PARAM_get1_ip_asc(parameters) {
            key += UnsafeRawBufferPointer(start: address, count: strlen(address))
            CRYPTO_free(address, nil, 0)
        } else if let name = X509_VERIFY_PARAM_get0_host(parameters, 0) {
            key += UnsafeRawBufferPointer(start: name, count: strlen(name))
        } else {
            return nil
        }
        let chain = X509_STORE_CTX_get0_untrusted(store)
        let count = podswarm_chain_count(chain)
        guard count > 0 else { return nil }
        for index in 0..<count {
            var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
            var length: UInt32 = 0
            guard let certificate = podswarm_chain_certificate(chain, index),
                X509_digest(certificate, EVP_sha256(), &digest, &length) == 1
            else { return nil }
            // The zero ends the name: no name holds one.
            key.append(0)
            key += digest.prefix(Int(length))
        }
        return key
    }
}
