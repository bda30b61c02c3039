import Testing

@testable import Audit

@Suite struct BodyHashTests {
    private func hash(_ body: [UInt8]) -> UInt64 { body.withUnsafeBytes(BodyHash.value) }

    @Test(arguments: 0..<80)
    func equalBodiesHaveOneHashAndNoByteIsPassedOver(count: Int) {
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
        #expect(hash(body) == hash(body))
        var hashes: Set<UInt64> = [hash(body), hash(body + [0])]
        for index in body.indices {
            var other = body
            other[index] ^= 1
            hashes.insert(hash(other))
        }
        #expect(hashes.count == count + 2)
    }

    @Test func whereABodyLiesInMemoryDoesNotMatter() {
        let body = Array("#EXTM3U #EXT-X-TARGETDURATION:4 #EXTINF:4.0,".utf8)
        let moved = [0] + body
        #expect(moved.withUnsafeBytes { BodyHash.value(of: .init(rebasing: $0[1...])) } == hash(body))
    }

    @Test func partsThatChangePlacesMakeAnotherBody() {
        let (first, second) = ([UInt8](repeating: 1, count: 8), [UInt8](repeating: 2, count: 8))
        #expect(hash(first + second + first + second) != hash(second + first + second + first))
    }
}
