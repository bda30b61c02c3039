/// Connections that cannot be made.
extension BadProfile {
    static let connectionMistakes: [BadProfile] = [
        BadProfile(
            "a certificate without its key",
            .minimal(and: "connection: {clientCertificate: client.pem}"),
            expected: [
                "5:33: connection.clientCertificate: needs connection.clientKey beside it"
            ]
        ),
        BadProfile(
            "a key without its certificate",
            .minimal(and: "connection: {clientKey: client.key}"),
            expected: [
                "5:25: connection.clientKey: needs connection.clientCertificate beside it"
            ]
        ),
        BadProfile(
            "a CA file that is not there",
            .minimal(and: "connection: {caFile: nowhere.pem}"),
            expected: [
                #"5:22: connection.caFile: no readable file at "nowhere.pem", counted from the profile's folder"#
            ]
        ),
        BadProfile(
            "a CA file that nothing verifies",
            .minimal(and: "connection: {insecure: true, caFile: ca.pem}"),
            expected: [
                """
                5:24: connection.insecure: verifies nothing, so connection.caFile has no effect; leave one \
                of them out
                """
            ]
        ),
        BadProfile(
            "a host name as a source address",
            .minimal(and: "connection: {sourceAddresses: [localhost]}"),
            expected: [
                """
                5:32: connection.sourceAddresses[0]: "localhost" is not an IP address; allowed: a literal \
                IPv4 or IPv6 address of this machine, such as 127.0.0.2
                """
            ]
        ),
        BadProfile(
            "a source address that cannot reach the origin",
            .minimal(and: "connection: {sourceAddresses: [192.0.2.1]}"),
            expected: [
                """
                5:32: connection.sourceAddresses[0]: "192.0.2.1" cannot reach the embedded origin; \
                allowed: an address of 127.0.0.0/8
                """
            ]
        ),
        BadProfile(
            "a source address twice",
            .minimal(and: "connection: {sourceAddresses: [127.0.0.2, 127.0.0.2]}"),
            expected: [
                #"5:43: connection.sourceAddresses[1]: "127.0.0.2" stands twice"#
            ]
        ),
        BadProfile(
            "a header name with a space",
            .minimal(and: "connection: {headers: {'X Y': a}}"),
            expected: [
                """
                5:24: connection.headers.X Y: "X Y" is not a header name; allowed: a token (RFC 9110 \
                section 5.6.2), such as X-Release
                """
            ]
        ),
        BadProfile(
            "a header value with a line break",
            .minimal(and: #"connection: {headers: {Authorization: "hunter2\r\nX: y"}}"#),
            expected: [
                """
                5:39: connection.headers.Authorization: the value holds a control character; allowed: \
                printable text, or ${NAME} for the environment variable that holds it, with {viewer}, \
                {primary_id} in it or not
                """
            ]
        ),
        BadProfile(
            "more headers than servers take",
            .minimal(
                and: "connection: {headers: {\((0..<20_000).map { "X-\($0): a" }.joined(separator: ", "))}}"
            ),
            expected: [
                """
                5:23: connection.headers: 20000 headers of 228890 bytes with every request; allowed: at most 100 headers \
                of 32KiB in all: servers refuse more
                """
            ]
        ),
        BadProfile(
            "a header the swarm sets",
            .minimal(and: "connection: {headers: {Content-Length: 3}}"),
            expected: [
                "5:24: connection.headers.Content-Length: podswarm sets this header itself"
            ]
        ),
        BadProfile(
            "a header twice",
            .minimal(and: "connection: {headers: {X-A: 1, x-a: 2}}"),
            expected: [
                "5:32: connection.headers.x-a: stands twice, in different letter case"
            ]
        ),
        BadProfile(
            "a connect timeout beyond the total",
            .minimal(and: "connection: {timeouts: {connect: 40s}}"),
            expected: [
                "5:34: connection.timeouts.connect: 40s is longer than the total of 30s"
            ]
        ),
        BadProfile(
            "a first byte beyond the total",
            .minimal(and: "connection: {timeouts: {total: 9s}}"),
            expected: [
                "5:32: connection.timeouts.firstByte: 10s is longer than the total of 9s"
            ]
        ),
        BadProfile(
            "a transport that is not there",
            .minimal(and: "connection: {transport: crul}"),
            expected: [
                #"5:25: connection.transport: "crul" is not known; allowed: auto, curl; did you mean curl?"#
            ]
        ),
        BadProfile(
            "no handshake at all",
            .minimal(and: "connection: {maximumHandshakes: 0}"),
            expected: [
                #"5:33: connection.maximumHandshakes: "0" is not in range; allowed: a whole number from 1 to 100000"#
            ]
        ),
        BadProfile(
            "too many redirects",
            .minimal(and: "connection: {maximumRedirects: 51}"),
            expected: [
                #"5:32: connection.maximumRedirects: "51" is not in range; allowed: a whole number from 0 to 50"#
            ]
        ),
    ]
}
