import TestSupport
import Testing
import Transport

@Suite struct AuthorisedHostsTests {
    /// Hosts that a profile authorises, perhaps with its target, and below them the URLs that may be asked for and may not.
    @Test(arguments: try CaseFile.all(in: "Tests/DestinationsTests/Hosts"))
    func permitTheNamedHostsAlone(_ file: CaseFile) throws {
        let lines = file.text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1) }
        let patterns = lines.filter { $0[0] == "host" }.map { $0.count > 1 ? String($0[1]) : "" }
        let targets = lines.filter { $0[0] == "target" }.map { String($0[1]) }
        let hosts =
            targets.isEmpty ? AuthorisedHosts(patterns) : AuthorisedHosts(patterns, of: targets, headersAlsoTo: [])
        let said = file.expected.map { line in
            let url = line.split(separator: " ", maxSplits: 1).dropFirst().joined()
            return (hosts.permits(url: url) ? "permitted " : "refused ") + url
        }
        try file.expect(said)
    }

    @Test func anEmptyURLIsRefused() { #expect(!AuthorisedHosts().permits(url: "")) }

    @Test(arguments: ["http://localhost:81/", "http://127.0.0.1/", "http://127.0.0.2/", "http://[::1]:8080/x"])
    func aURLOfThisMachineOpensAllOfIt(url: String) {
        let hosts = AuthorisedHosts(AuthorisedHosts.machine(of: url), of: [url], headersAlsoTo: [])
        for other in ["http://localhost:9/", "http://127.0.0.1:9/", "http://[::1]:9/"] {
            #expect(hosts.permits(url: other))
        }
    }

    @Test(arguments: ["http://a.example/", "http://10.0.0.1/", "localhost"])
    func whatIsElsewhereOpensNothingHere(url: String) {
        #expect(AuthorisedHosts.machine(of: url).isEmpty)
    }
}
