import Foundation
import RunResult
import TestSupport
import Testing

/// What viewers say of themselves, as a server sees it that was not written here.
@Suite(.fewAtOnce) struct TraitsOnTheWireTests {
    /// What nginx was asked with.
    private struct Request {
        var path: String
        var query: String
        var agent: String
        var ppid: String
        var region: String
        var cookie: String
        var set: String

        init?(_ line: Substring) {
            let words = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard words.count == 7 else { return nil }
            (path, query, agent, ppid, region) = (words[0], words[1], words[2], words[3], words[4])
            (cookie, set) = (words[5], words[6])
        }
    }

    private static let viewers = 12
    private static let regions = ["north", "south \u{e9}", "a&b"]

    private static var table: String {
        "ppid,region,agent\n"
            + (0..<viewers).map { "p\($0),\(regions[$0 % 3]),\"Player/\($0 % 4), like \"\"it\"\"\"\n" }.joined()
    }

    private static func profile(_ url: String) -> String {
        """
        name: traits
        duration: 8s
        target:
          podServing:
            contentURL: '\(url)/live/main/multivariant.m3u8?region={region}'
            adServer: \(url)
            networkCode: "21775744923"
            customAssetKey: sgai-hls-live
            adTagParameters: {who: "{ppid}"}
            custParams: "region={region}"
        audience: {viewers: \(viewers), ramp: 1s, traits: [{file: viewers.csv}]}
        breaks: {source: {list: [4s]}, podDuration: 2s, grace: 3s}
        connection:
          cookies: true
          cmcd: {carriage: query, contentID: "final of {region}"}
          traceShare: 0%
          headers: {User-Agent: "{agent}", X-PPID: "{ppid}", X-Region: "{region}"}
        impressions: allowed
        generator: {maximumLateness: 10s, maximumLoopDelay: 30s, maximumCoreWait: 30s}
        thresholds: [breaks.count >= 1, breaks.on_time >= 0%]
        allowFindings: [\(StarvedMachine.findings.sorted().joined(separator: ", "))]
        """
    }

    /// An nginx before an origin that gives whoever has no cookie one of its own.
    private static func configuration(port: UInt16, origin: String, folder: String) -> String {
        let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: " ")
        return """
            daemon off; worker_processes 1; pid \(folder)/pid; error_log stderr;
            events { worker_connections 1024; }
            http {
                log_format told escape=none
                    '$uri\\t$args\\t$http_user_agent\\t$http_x_ppid\\t$http_x_region\\t$http_cookie\\t$sent_http_set_cookie';
                access_log \(folder)/access.log told; \(scratch)
                map $http_cookie $given { default "edge=$request_id; Path=/"; ~edge= ""; }
                server {
                    listen 127.0.0.1:\(port);
                    location / {
                        proxy_pass \(origin); proxy_http_version 1.1; proxy_set_header Connection "";
                        proxy_set_header Host $http_host; add_header Set-Cookie $given always;
                    }
                }
            }

            """
    }

    private static func requests() async throws -> (end: ChildProcess.End, requests: [Request]) {
        try await RunningOrigin.serving(ShardProfile.originArguments) { origin in
            let (folder, port) = (try TemporaryFolder(), try ReservedPort())
            let configuration = configuration(port: port.number, origin: origin.url, folder: folder.path)
            let arguments = [
                "-p", folder.path, "-c", try folder.write(configuration, to: "nginx.conf"), "-e", "stderr",
            ]
            try folder.write(table, to: "viewers.csv")
            let url = "http://127.0.0.1:\(port.number)"
            let file = try folder.write(profile(url), to: "traits.yaml")
            let nginx = try ChildProcess(try ExternalTool.nginx.path(), arguments)
            let end = try await nginx.stopped {
                try await nginx.wait(for: "listener", within: .seconds(60)) { _ in port.isServed }
                return try await PodswarmExecutable.run(
                    ["run", file, "--results", folder.file("results").path, "--no-report", "--quiet"]
                )
            }
            let log = try String(contentsOf: folder.file("access.log"), encoding: .utf8)
            return (end, log.split(separator: "\n").compactMap(Request.init))
        }
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
