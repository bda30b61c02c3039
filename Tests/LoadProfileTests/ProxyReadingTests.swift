import Profile
import Testing
import Values

/// `connection.proxy` and `connection.noProxy`; what is refused of them is among the cases of profiles.
@Suite struct ProxyReadingTests {
    @Test func itsPasswordIsASecretThatItsTextLeavesOut() throws {
        let plan = try Samples.plan(set: "connection.proxy=HTTPS://viewer:hunter%402:@@[::1]:3128/")
        let proxy = ProxyAddress(scheme: .https, host: "::1", port: 3128, user: "viewer", password: "hunter@2:@")
        #expect(plan.connection.proxy == proxy)
        #expect(plan.secrets == ["hunter@2:@"])
        #expect(proxy.description == "https://[::1]:3128")
    }

    /// The manual of CURLOPT_NOPROXY, by its own examples and some more.
    @Test(arguments: [
        ("ample.com", "ample.com", true), ("ample.com", "www.ample.com", true), ("ample.com", "www.example.com", false),
        ("ample.com", "ample.com.org", false), (".AMPLE.com.", "ample.com", true), ("*", "192.0.2.1", true),
        ("192.168.0.0/16", "192.168.7.7", true), ("192.168.0.0/16", "192.169.0.1", false), ("::1", "::1", true),
        ("2001:db8::/32", "2001:db8:7::1", true), ("2001:db8::/32", "192.0.2.1", false),
        ("0.0.0.0/0", "192.0.2.1", true),
        ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.10", false), ("2.1", "192.0.2.1", false),
    ])
    func exceptionsAreReadAsCurlReadsThem(exception: String, host: String, isPassed: Bool) {
        #expect(ProxyAddress.isPassed(by: host, exceptions: ["other.example", exception]) == isPassed)
    }
}
