import Testing

@testable import Benchmarks

/// What the peers print, as their Debian 12 versions print it.
@Suite struct PeerReportTests {
    static let wrk = """
        Running 1s test @ http://127.0.0.1:18099/live.m3u8
          1 threads and 8 connections
          Thread Stats   Avg      Stdev     Max   +/- Stdev
            Latency     0.86ms    1.49ms  12.17ms   86.38%
            Req/Sec    37.34k     9.13k   52.04k    60.00%
          37265 requests in 1.01s, 100.33MB read
        Requests/sec:  36924.81
        Transfer/sec:     99.41MB
        """

    static let h2load = """
        finished in 2.21ms, 9049.77 req/s, 24.36MB/s
        requests: 20 total, 20 started, 20 done, 20 succeeded, 0 failed, 0 errored, 0 timeout
        status codes: 20 2xx, 0 3xx, 0 4xx, 0 5xx
        traffic: 55.14KB (56460) total, 3.69KB (3780) headers (space savings 0.00%), 50.45KB (51660) data
        """

    @Test(arguments: [(Peer.wrk, wrk, 37265), (.h2load, h2load, 20)])
    func requestsAreRead(peer: Peer, report: String, requests: Int) throws {
        #expect(try peer.requests(in: report) == requests)
    }

    @Test(
        arguments: [
            (Peer.wrk, wrk + "\n  Non-2xx or 3xx responses: 3"),
            (.wrk, wrk + "\n  Socket errors: connect 0, read 1, write 0, timeout 0"),
            (.wrk, "0 requests in 1.01s, 0.00B read"),
            (.wrk, "unable to connect"),
            (.h2load, h2load.replacing("0 failed", with: "1 failed")),
            (.h2load, h2load.replacing("0 errored", with: "2 errored")),
            (.h2load, h2load.replacing("0 4xx", with: "1 4xx")),
        ] as [(Peer, String)]
    )
    func aReportWithFailuresIsRefused(peer: Peer, report: String) {
        #expect(throws: BenchmarkError.self) { try peer.requests(in: report) }
    }

    @Test func aLogTellsWhenPodsCame() {
        let log = TargetLog(
            """
            999.900 200 /live/media.m3u8
            1000.010 200 /linear/pods/v1/hls/network/1/custom_asset/own/ad_break_id/break-1000.m3u8?stream_id=a&pd=4000
            1000.030 200 /linear/pods/v1/hls/network/1/custom_asset/own/ad_break_id/break-1000.m3u8?stream_id=b&pd=4000
            1000.900 200 /own-pod/media.m3u8?sig=1
            1001.100 200 /own-pod/media.m3u8?sig=2
            1002.000 500 /live/media.m3u8
            """,
            from: 1000
        )
        #expect((log.polls, log.pods, log.failures) == (1, 4, 1))
        #expect(
            log.figures.mapValues { $0.rounded() } == [
                .polls: 1, .podRequests: 4, .breakSpread: 20, .breakLateness99: 30, .podsInTime: 50,
            ]
        )
    }

    @Test func callgrindNamesItsInstructions() throws {
        #expect(try Callgrind.instructions(in: "==1== Collected : 342105365\n==1==") == 342_105_365)
        #expect(throws: BenchmarkError.self) { try Callgrind.instructions(in: "==1== Killed") }
    }

    @Test func nginxNamesItsRequests() {
        let text = """
            Active connections: 291\u{20}
            server accepts handled requests
             16630948 16630947 31070465\u{20}
            Reading: 6 Writing: 179 Waiting: 106\u{20}
            """
        #expect(NginxServer.requests(inStatus: text) == 31_070_465)
        #expect(NginxServer.requests(inStatus: "<html>404</html>") == nil)
    }
}
