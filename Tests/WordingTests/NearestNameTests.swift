import Testing
import Values

@Suite struct NearestNameTests {
    @Test(arguments: [("", "", 0), ("a", "", 1), ("", "ab", 2), ("playlist", "playlits", 2), ("reset", "rest", 1)])
    func editsAreCounted(left: String, right: String, edits: Int) {
        #expect(EditDistance.between(Array(left.utf8), Array(right.utf8)) == edits)
        #expect(EditDistance.between(Array(right.utf8), Array(left.utf8)) == edits)
    }

    @Test(arguments: [("playlist", "playlits", 1), ("ab", "ba", 1), ("abc", "ca", 3), ("reset", "rest", 1)])
    func neighboursThatChangedPlacesMayCountAsOne(left: String, right: String, edits: Int) {
        #expect(EditDistance.between(Array(left.utf8), Array(right.utf8), countsSwaps: true) == edits)
        #expect(EditDistance.between(Array(right.utf8), Array(left.utf8), countsSwaps: true) == edits)
    }

    @Test func onlyNamesThatAFewEditsMakeAreNear() {
        let names = ["stale_pod", "empty_pod", "ping_lost"]
        #expect(NearestName.all(near: "stale_pod", among: names, within: 3) == ["stale_pod"])
        #expect(NearestName.all(near: "stael_pods", among: names, within: 3) == ["stale_pod"])
        #expect(NearestName.all(near: "stael_pods", among: names, within: 2).isEmpty)
        #expect(NearestName.all(near: "nope_code", among: names, within: 3).isEmpty)
        #expect(NearestName.all(near: "ab", among: ["abcd", "abc", "xb"], within: 2) == ["abc", "xb", "abcd"])
        #expect(NearestName.all(near: String(repeating: "a", count: 100_000), among: names, within: 3).isEmpty)
    }

    @Test func whereNoNameIsNearAllAreNamed() {
        #expect(NearestName.advice(for: "jnit", among: ["har", "junit"]) == "did you mean 'junit'?")
        #expect(NearestName.advice(for: "zzzz", among: ["har", "junit"]) == "there are har, junit")
    }

    @Test func aSlipIsFoundWhateverItsCaseAndHyphens() {
        #expect(NearestName.slip("pod_identifier", among: ["viewers", "podIdentifier"]) == "podIdentifier")
        #expect(NearestName.slip("podIdentifer", among: ["viewers", "podIdentifier"]) == "podIdentifier")
        #expect(NearestName.slip("duration", among: ["viewers", "podIdentifier"]) == nil)
        #expect(NearestName.slip("", among: ["viewers"]) == nil)
        #expect(NearestName.slip("allow", among: ["allowed", "withheld"]) == "allowed")
        #expect(NearestName.slip("al", among: ["allowed", "withheld"]) == nil)
        #expect(NearestName.slip("match", among: ["matchLadder", "matchStitched"]) == nil, "two begin like this")
        #expect(NearestName.slip(String(repeating: "v", count: 65), among: ["viewers"]) == nil)
    }
}
