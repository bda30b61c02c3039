import COpenSSL

package enum OpenSSLError {
    /// Returns the text of the calling thread's oldest error and empties its queue; empty without an error.
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
