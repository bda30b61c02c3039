import AdServing
import Testing

@testable import Swarm

/// No secret survives, in any spelling; what helps to understand a request does.
@Suite struct RedactionTests {
    private let own = StreamID("0a1b2c3d-secret:TUL")

    @Test(arguments: [
        "http://h/p.m3u8?stream_id=0a1b2c3d-secret:TUL&pd=10000",
        "http://h/p.m3u8?stream_id=0a1b2c3d-secret%3ATUL",
        "http://h/p.m3u8?stream_id=0a1b2c3d-secret%3atul%3ATUL",
        "http://h/p.m3u8?stream_id=0a1b2c3d-secret%3aTUL",
        "http://h/p.m3u8?stream_id=0a1b2c3d-secret%253ATUL",
        "http://h/p.m3u8?stream_id=%30a1b2c3d-%73ecret:TUL",
        "http://h/stream/0a1b2c3d-secret:TUL/media.m3u8",
        "http://h/stream/0a1b2c3d-secret%3ATUL",
        "http://h/x/0a1b2c3d-secret%3aTUL/y",
        "http://h/x?url=http%3A%2F%2Fh%2F%3Fstream_id%3D0a1b2c3d-secret%253ATUL",
        "http://h/x?0a1b2c3d-secret:TUL",
        "http://h/x?pd=0a1b2c3d-secret:TUL",
        "http://h/x#0a1b2c3d-secret:TUL",
    ])
    func theOwnStreamIDIsNotShown(url: String) {
        let shown = Redaction.url(url, own: self.own)
        #expect(!shown.contains("secret"), "\(url) became \(shown)")
        #expect(!Redaction.url(url, own: nil).contains("secret") || url.contains("/x/0a1b") || url.contains("pd="))
    }

    @Test(arguments: [
        "http://h/p?auth-token=SECRET", "http://h/p?cust_params=SECRET", "http://h/p?stream_id=SECRET",
        "http://h/p?hdnea=SECRET", "http://h/p?Signature=SECRET&Key-Pair-Id=SECRET", "http://h/p?a=1&token=SECRET=x",
        "http://h/p?SECRET", "http://user:SECRET@h/p", "http://SECRET@h/p", "https://h/stream/SECRET/metadata",
        "http://h/p#SECRET", "http://h/p?%61uth-token=SECRET", "http://h/p?a=SECRET?pd=1",
    ])
    func secretsOfOthersAreNotShown(url: String) {
        let shown = Redaction.url(url, own: self.own)
        #expect(!shown.contains("SECRET"), "\(url) became \(shown)")
    }

    @Test func whatIsHarmlessStays() {
        let url =
            "http://127.0.0.1:8080/linear/pods/v1/hls/network/1/custom_asset/a/ad_break_id/b.m3u8?stream_id=x&pd=10000"
        let shown =
            "http://127.0.0.1:8080/linear/pods/v1/hls/network/1/custom_asset/a/ad_break_id/b.m3u8?stream_id=…&pd=10000"
        #expect(Redaction.url(url, own: nil) == shown)
        #expect(Redaction.url("http://h/live/main/v0/media.m3u8", own: nil) == "http://h/live/main/v0/media.m3u8")
        #expect(Redaction.url("", own: self.own) == "")
        #expect(Redaction.url("http://h/p?", own: self.own) == "http://h/p?")
    }

    @Test func theOwnSessionCanBeToldFromAnother() {
        let shown = Redaction.url("http://h/p?stream_id=0a1b2c3d-secret%3ATUL", own: self.own)
        #expect(shown == "http://h/p?stream_id=\(self.own.redacted)")
    }
}
