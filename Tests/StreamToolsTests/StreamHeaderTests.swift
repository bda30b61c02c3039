import Profile
import Testing

@testable import Tools

@Suite struct StreamHeaderTests {
    private static let surroundings = ProfileSurroundings(
        environmentVariable: { ["TOKEN": "hunter2hunter2", "EMPTY": "", "LINES": "a\r\nX: hunter2"][$0] },
        hasFile: { _ in false }
    )

    @Test func aValueMayNameVariables() throws {
        let header = try StreamHeader(" Authorization :  Bearer ${TOKEN} ", in: Self.surroundings)
        #expect((header.name, header.value) == ("Authorization", "Bearer hunter2hunter2"))
        #expect(header.written == "Bearer ${TOKEN}")
        #expect(header.isTellable)
        #expect(header.secrets == ["hunter2hunter2"])
    }

    @Test(arguments: [
        ("User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)", true),
        ("accept-language: de, en;q=0.5", true), ("Referer: https://www.example.com/live/", true),
        ("Referer: https://www.example.com/live?token=hunter2", false), ("Authorization: Bearer hunter2", false),
        ("Cookie: a=b", false), ("X-Api-Key: hunter2", false), ("X-Anything: x", false),
    ]) func onlyWhatAnyServerMaySeeMayStandInAFile(line: String, isTellable: Bool) throws {
        let header = try StreamHeader(line, in: Self.surroundings)
        #expect((header.isTellable, header.secrets) == (isTellable, (isTellable ? [] : [header.value])))
    }

    @Test(arguments: [
        ("hunter2", "a header is \"name: value\""), ("", "a header is \"name: value\""),
        (": hunter2", "is not a valid header name"), ("a hunter2: x", "is not a valid header name"),
        ("X-Key:", "--header X-Key: this has no value"), ("X-Key: ${TOKEN", "is not closed by }"),
        ("X-Key: ${NOT_SET}", "--header X-Key: the environment variable NOT_SET is not set"),
        ("a hunter2: ${NOT_SET}", "--header: the environment variable NOT_SET"), ("X-Key: ${EMPTY}", "EMPTY is empty"),
        ("X-Key: ${hunter-2}", "does not hold a variable's name"),
        ("X-Key: ${LINES}", "holds a control character"), ("Content-Length: 2", "podswarm sets itself"),
        ("X-Key: {viewer}hunter2", "a name in braces"), ("ä: hunter2", "is not a valid header name"),
        ("X-Key: " + String(repeating: "hunter2", count: 1_000), "is longer than 4096 bytes"),
    ]) func aMistakeIsToldWithoutItsValue(line: String, message: String) {
        let failure = #expect(throws: StreamFailure.self) { try StreamHeader(line, in: Self.surroundings) }
        #expect(failure?.message.contains(message) ?? false, "\(failure?.message ?? "")")
        #expect(!(failure?.message.contains("hunter2") ?? true), "\(failure?.message ?? "")")
    }

    @Test func aNameStandsOnce() {
        let failure = #expect(throws: StreamFailure.self) { try StreamHeader.all(of: ["X-Key: a", "x-key: b"]) }
        #expect(failure?.message.contains("--header x-key: this stands twice") ?? false)
    }
}
