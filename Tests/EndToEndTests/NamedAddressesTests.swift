import Foundation
import Results
import TestSupport
import Testing

/// A name with several addresses, one of which dies, and a name that moves, asked of a name server that shares no line with
/// podswarm.
///
/// Over sockets, because connections, refused ones among them, are what is counted.
@Suite(.fewWaiting) struct NamedAddressesTests {
    private enum Fault: String, CaseIterable {
        case none = ""
        case dies
        case moves
    }

    /// Seconds after which the server changes, and how long an answer of its name lives.
    private static let (change, life) = (8.0, 1.0)

    @Test(arguments: Fault.allCases, ["auto", "curl"])
    private func viewersAreWhereTheNameLeads(fault: Fault, transport: String) async throws {
        let (outcome, told) = try await ForeignScript.serving("pool", ["--fault", fault.rawValue]) { port, server in
            let names = try #require(server.output.split(separator: "\n").first?.split(separator: " ").last)
            let profile = try ForeignScript.profile("pool", url: "").replacing("PORT", with: port)
                .replacing("NAMES", with: names)
            let outcome = try await Rehearsal(profile).run(["--set", "connection.transport=\(transport)"])
            return (outcome, server.output.split(separator: "\n").dropFirst().map { $0.split(separator: " ") })
        }
        let document = outcome.document
        let accepted = told.filter { $0[0] != "asked" }.map { (address: $0[0], age: Double($0[1]) ?? 0) }
        let first = accepted.count { $0.address == "127.0.0.2" }
        let second = accepted.count { $0.address == "127.0.0.3" }
        // A question for each family and life, whatever the number of viewers; never twice as many.
        let lives = (told.compactMap { Double($0[1]) }.max() ?? 0) / Self.life
        #expect(told.count { $0[0] == "asked" } <= 4 * Int(lives + 1))
        let edges = try #require(document.edges)
        let counted = edges.each.reduce(into: [:]) { $0[$1.address.prefix { $0 != ":" }] = Int($1.count) }
        switch fault {
        case .none:
            #expect(outcome.findings.isEmpty, "\(outcome.end.output)")
            // Six standard deviations of as many draws as there are viewers.
            let slack = 6 * Double(first + second) / Double(document.viewers["joined"] ?? 1).squareRoot()
            #expect(abs(Double(first - second)) < slack, "\(first) and \(second)")
            // The check before the run is no viewer's request.
            #expect((first - 1...first).contains(counted["127.0.0.2"] ?? 0))
            #expect((second - 1...second).contains(counted["127.0.0.3"] ?? 0))
            #expect(edges.failedConnects == nil)
        case .dies:
            let late = accepted.filter { $0.age > Self.change + 10 }
            #expect(late.allSatisfy { $0.address == "127.0.0.2" } && !late.isEmpty)
            guard transport == "auto" else { break }
            #expect(edges.failedConnects?.keys.allSatisfy { $0.hasPrefix("127.0.0.3:") } == true)
        case .moves:
            // Ten seconds on top for a connection that was on its way, on a busy machine.
            let late = accepted.filter { $0.age > Self.change + Self.life + 10 }
            #expect(late.allSatisfy { $0.address == "127.0.0.4" } && !late.isEmpty)
        }
    }
}
