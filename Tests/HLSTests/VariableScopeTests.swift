import Testing

@testable import HLS

@Suite struct VariableScopeTests {
    @Test func resolvesAllThreeSources() throws {
        let scope = try VariableScope(
            [.value(name: "host", value: "cdn"), .imported(name: "token"), .queryParameter(name: "stream_id")],
            playlistURL: "https://h/a.m3u8?x=1&stream_id=ab%3aTUL#stream_id=no",
            imported: ["token": "t", "unused": "u"]
        )
        #expect(scope.values == ["host": "cdn", "token": "t", "stream_id": "ab:TUL"])
        #expect(try scope.substitute("https://{$host}/p?s={$stream_id}&t={$token}") == "https://cdn/p?s=ab:TUL&t=t")
    }

    @Test func undefinedAndRepeatedNamesFail() {
        #expect(throws: VariableScope.Problem.undefined(name: "a")) {
            try VariableScope([.imported(name: "a")], playlistURL: "https://h/")
        }
        #expect(throws: VariableScope.Problem.undefined(name: "a")) {
            try VariableScope([.queryParameter(name: "a")], playlistURL: "https://h/?b=1")
        }
        #expect(throws: VariableScope.Problem.duplicate(name: "a")) {
            try VariableScope([.value(name: "a", value: "1"), .value(name: "a", value: "1")], playlistURL: "")
        }
        #expect(throws: VariableScope.Problem.undefined(name: "b")) {
            try VariableScope([.value(name: "a", value: "1")], playlistURL: "").substitute("{$a}{$b}")
        }
    }

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
