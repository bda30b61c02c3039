import Testing

@testable import HLS

@Suite struct VariableScopeTests {
    @Test(arguments: ["", "plain", "{a}", "{", "{$", "{$a", "{}", "${a}", "{{"])
    func whatIsNoReferenceStays(_ text: String) throws {
        #expect(try VariableScope([.value(name: "a", value: "1")], playlistURL: "").substitute(text) == text)
    }

    @Test func malformedEscapesStay() throws {
        let scope = try VariableScope([.queryParameter(name: "a")], playlistURL: "https://h/?a=%+1%zz%4")
        #expect(scope.values == ["a": "%+1%zz%4"])
        let flag = try VariableScope([.queryParameter(name: "a")], playlistURL: "https://h/?a")
        #expect(flag.values == ["a": ""])
    }
}
