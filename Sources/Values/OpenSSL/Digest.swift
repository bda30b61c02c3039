import COpenSSL

package enum Digest {
    /// FIPS 180-4: 32 bytes.
    package static func sha256(of bytes: [UInt8]) -> [UInt8] {
        filled { digest, length in
            EVP_Digest(bytes, bytes.count, digest, &length, EVP_sha256(), nil) == 1
        }
    }

    /// RFC 2104, with a key of any length: 32 bytes.
    package static func hmacSHA256(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
        filled { digest, length in
            HMAC(EVP_sha256(), key, Int32(clamping: key.count), bytes, bytes.count, digest, &length) != nil
        }
    }

    /// In constant time.
    package static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
    }

    /// Lower case, two digits a byte.
    package static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func filled(_ compute: (UnsafeMutablePointer<UInt8>?, inout UInt32) -> Bool) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, count in
            var length: UInt32 = 0
            precondition(compute(buffer.baseAddress, &length), "OpenSSL offers no SHA-256")
            count = Int(length)
        }
    }
}

package enum OpenSSLError {
    /// Oldest error of the calling thread, whose queue is emptied; empty without an error.
    package static func takeText() -> String {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0 else { return "" }
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { text in
            guard let start = text.baseAddress else { return "" }
            ERR_error_string_n(code, start, text.count)
            return String(cString: start)
        }
    }
}
