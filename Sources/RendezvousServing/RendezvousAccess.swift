import Glibc
import HTTPTypes

/// Who may put and list.
struct RendezvousAccess: Sendable {
    /// Nil for everybody who comes to this machine's own address.
    let token: String?

    /// Nil for who may.
    func refusal(of head: HTTPRequest) -> RendezvousAnswer? {
        guard let token else {
            // A web page elsewhere can let its name resolve to 127.0.0.1; the browser still sends that name.
            guard !Self.isAddress(head.authority ?? "") else { return nil }
            return .text(.misdirectedRequest, "Without a token this is served at an address or as localhost only.")
        }
        guard Self.isSame(head.headerFields[.authorization] ?? "", "Bearer \(token)") else {
            // RFC 6750 section 3.
            var answer = RendezvousAnswer.text(.unauthorized, "This rendezvous asks for its token.")
            answer.fields[.wwwAuthenticate] = "Bearer"
            return answer
        }
        return nil
    }

    /// Takes as long for texts that begin alike as for others.
    static func isSame(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        var difference: UInt8 = one.count == other.count ? 0 : 1
        for index in other.indices {
            difference |= other[index] ^ (one.isEmpty ? 0 : one[index % one.count])
        }
        return difference == 0
    }

    private static func isAddress(_ authority: String) -> Bool {
        if authority.hasPrefix("[") { return true }
        let host = authority.prefix { $0 != ":" }.lowercased()
        var address = in_addr()
        return host == "localhost" || inet_pton(AF_INET, host, &address) == 1
    }
}
