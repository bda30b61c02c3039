import Foundation
import Results
import TestSupport
import Testing

/// A name with several addresses, one of which dies before the name moves, asked of a name server that shares no line with podswarm;
/// libcurl is led likewise by `NamesTests` of the transport.
///
/// Over sockets, because connections, refused ones among them, are what is counted.
@Suite(.fewWaiting) struct NamedAddressesTests {
    /// Seconds until the second address dies and until the name moves, and how long an answer of its name lives.
    private static let (death, move, life) = (4.0, 8.0, 1.0)

    @Test func viewersAreWhereTheNameLeads() async throws {
        let (outcome, told) = try await ForeignScript.serving("pool") { port, server in
            let names = try #require(server.output.split(separator: "\n").first?.split(separator: " ").last)
            let profile = try ForeignScript.profile("pool", url: "").replacing("PORT", with: port)
                .replacing("NAMES", with: names)
            return (
                try await Rehearsal(profile).run(),
                server.output.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
            )
        }
        let lines = told.map { (what: $0[0], age: Double($0[1]) ?? 0) }
        let accepted = lines.filter { $0.what.hasPrefix("127.") }
        func count(of address: String, before age: Double = .infinity) -> Int {
            accepted.count { $0.what == address && $0.age < age }
        }
        // A question for each family and life, whatever the number of viewers; never twice as many.
        let lives = (lines.map(\.age).max() ?? 0) / Self.life
        #expect(lines.count { $0.what == "asked" } <= 4 * Int(lives + 1))
        // Six standard deviations of as many draws as there are viewers.
        let (first, second) = (count(of: "127.0.0.2", before: Self.death), count(of: "127.0.0.3", before: Self.death))
        let slack = 6 * Double(first + second) / Double(outcome.document.viewers["joined"] ?? 1).squareRoot()
        #expect(first > 0 && second > 0 && abs(Double(first - second)) < slack, "\(first) and \(second)")
        let died = try #require(lines.first { $0.what == "died" }).age
        let after = accepted.filter { $0.age > died && $0.age < Self.move }
        #expect(after.allSatisfy { $0.what == "127.0.0.2" } && (!after.isEmpty || died >= Self.move))
        // Four seconds on top for a connection that was on its way, on a busy machine.
        let late = accepted.filter { $0.age > Self.move + Self.life + 4 }
        #expect(late.allSatisfy { $0.what == "127.0.0.4" } && !late.isEmpty, "\(late)")
        let edges = try #require(outcome.document.edges)
        let counted = edges.each.filter { $0.address.hasPrefix("127.0.0.2:") }.reduce(0) { $0 + Int($1.count) }
        // The check before the run is no viewer's request.
        let all = count(of: "127.0.0.2")
        #expect((all - 1...all).contains(counted), "\(counted) of \(all)")
        #expect(edges.failedConnects?.keys.allSatisfy { $0.hasPrefix("127.0.0.3:") } == true)
    }
}
