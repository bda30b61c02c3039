import HLS
import Testing
import Values

@testable import Benchmarks

@Suite struct BurstTests {
    @Test func timesCountFromTheInstantThatIsDue() throws {
        let sends = [5_000, 2_000, 4_000].map { Instant(nanoseconds: $0) }
        let due = Instant(nanoseconds: 1_000)
        let lastAnswer = Instant(nanoseconds: 9_000)
        let times = try #require(Quantity.burst(due: due, sends: sends, lastAnswer: lastAnswer))
        #expect(times == [.firstSend: 1, .medianSend: 3, .lastSend: 4, .lastAnswer: 8])
        #expect(Quantity.burst(due: due, sends: [], lastAnswer: lastAnswer) == nil)
    }

    @Test(arguments: ["Content-Length: 5", "content-length:5", "Server: x\r\nCONTENT-LENGTH:  5\r\nDate: y"])
    func anAnswerEndsWithItsBody(fields: String) {
        let answer = Array("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nhello".utf8)
        #expect(AnswerLength(answer[...])?.bytes == answer.count)
        #expect(AnswerLength(answer.dropLast(5))?.bytes == answer.count, "the header alone says it")
        #expect(AnswerLength(answer.dropLast(8)) == nil, "the header is not complete")
    }

    @Test func everyVersionOfThePlaylistIsAsLongAsTheFirstAndBringsNews() throws {
        let first = LivePlaylist.text()
        #expect(first.utf8.count == 2108)
        var previous = try #require(media(first))
        for segments in 1...300 {
            let text = LivePlaylist.text(after: segments)
            #expect(text.utf8.count == first.utf8.count)
            let playlist = try #require(media(text))
            #expect(playlist.isUpdate(of: previous))
            #expect(playlist.targetDurationSeconds == LivePlaylist.targetSeconds)
            previous = playlist
        }
    }

    private func media(_ text: String) -> MediaPlaylist? {
        guard case .media(let playlist)? = try? Playlist(parsing: text) else { return nil }
        return playlist
    }
}
