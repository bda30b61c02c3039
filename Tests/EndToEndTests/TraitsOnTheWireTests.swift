import Foundation
import Results
import TestSupport
import Testing

/// What viewers say of themselves, as a server sees it that was not written here.
///
/// Over sockets, because nginx tells what it was asked with.
@Suite(.fewWaiting) struct TraitsOnTheWireTests {
    private struct Request: Decodable { var path, query, agent, ppid, region, cookie, set: String }

    private static let viewers = 12
    private static let regions = ["north", "south \u{e9}", "a&b"]

    private static var table: String {
        "ppid,region,agent\n"
            + (0..<viewers).map { "p\($0),\(regions[$0 % 3]),\"Player/\($0 % 4), like \"\"it\"\"\"\n" }.joined()
    }

    /// An nginx before an origin tells what it was asked, and gives whoever has no cookie one of its own.
    private static func requests() async throws -> (end: ChildProcess.End, requests: [Request]) {
        let folder = try TemporaryFolder()
        let settings = """
            log_format told escape=json
                '{"path":"$uri","query":"$args","agent":"$http_user_agent","ppid":"$http_x_ppid",'
                '"region":"$http_x_region","cookie":"$http_cookie","set":"$sent_http_set_cookie"}';
            access_log \(folder.path)/access.log told;
            map $http_cookie $given { default "edge=$request_id; Path=/"; ~edge= ""; }
            add_header Set-Cookie $given always;
            """
        let end = try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
            try await ProxyServer.serving(origin.url, in: folder, settings: settings) { url in
                let rehearsal = try Rehearsal(ForeignScript.profile("traits", url: url))
                try rehearsal.folder.write(table, to: "viewers.csv")
                let allowed = StarvedMachine.allowedFindings.replacing(": {", with: "={", maxReplacements: 1)
                let more = ["--no-report", "--quiet", "--set", allowed]
                return try await rehearsal.start(more).ended()
            }
        }
        let log = try String(contentsOf: folder.file("access.log"), encoding: .utf8)
        return (end, try log.split(separator: "\n").map { try JSONDecoder().decode(Request.self, from: Data($0.utf8)) })
    }

    @Test func eachViewerSaysWhatItIsAndKeepsItsCookies() async throws {
        let (end, requests) = try await Self.requests()
        #expect(end.status == 0, "\(end.output)\(end.errors)")
        // One asks whether the target is there, before the first viewer and with what it will say.
        let question = try #require(requests.first)
        #expect(question.path == "/live/main/multivariant.m3u8")
        #expect(question.ppid.hasPrefix("p") && question.agent.hasPrefix("Player/"))
        let told = requests.dropFirst().filter { !$0.ppid.hasPrefix("{") && !$0.ppid.isEmpty }
        let viewers = Dictionary(grouping: told, by: \.ppid)
        #expect(viewers.count == Self.viewers)
        for (ppid, requests) in viewers {
            let number = try #require(Int(ppid.dropFirst()))
            let region = Self.regions[number % 3]
            #expect(requests.allSatisfy { $0.region == region && $0.agent == "Player/\(number % 4), like \"it\"" })
            let channel = requests.filter { $0.path == "/live/main/multivariant.m3u8" }
            #expect(!channel.isEmpty)
            #expect(
                channel.allSatisfy { $0.query.removingPercentEncoding?.hasPrefix("region=\(region)&CMCD=") == true }
            )
            let told = requests.map(\.query).filter { $0.contains("CMCD=") }
            #expect(told.count > channel.count && told.count < requests.count)
            let content = "cid=\"final of \(region)\",ot=m,sf=h,sid=\""
            #expect(told.allSatisfy { $0.removingPercentEncoding?.contains(content) == true }, "\(told)")
            let pods = requests.filter { $0.query.contains("cust_params=") }
            #expect(!pods.isEmpty)
            let wanted = region.replacing("&", with: "%26").replacing("\u{e9}", with: "%C3%A9").replacing(
                " ",
                with: "%20"
            )
            #expect(
                pods.allSatisfy { $0.query.contains(wanted) || $0.query.contains(wanted.replacing("%", with: "%25")) }
            )
            // What was set for this viewer, and nothing else, comes back from it.
            let set = Set(requests.map { $0.set.prefix { $0 != ";" } })
            let sent = requests.map(\.cookie).filter { !$0.isEmpty }
            #expect(sent.count >= 3 && sent.allSatisfy { set.contains($0[...]) }, "\(requests)")
        }
    }
}
