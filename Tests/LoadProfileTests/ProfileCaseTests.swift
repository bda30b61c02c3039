import TestSupport
import Testing

/// A profile in each file below `ProfileCases`, with all that the reader says of it; nothing of one that it accepts.
///
/// Lines `# set: field=value` at a profile's end are overrides of it.
@Suite struct ProfileCaseTests {
    @Test(arguments: try CaseFile.all(in: "Tests/LoadProfileTests/ProfileCases"))
    func theReaderSaysTheseWordsAndNoSecret(_ file: CaseFile) throws {
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
        let setting = "# set: "
        let overrides = lines.filter { $0.hasPrefix(setting) }.map { String($0.dropFirst(setting.count)) }
        let yaml = lines.filter { !$0.hasPrefix(setting) }.joined(separator: "\n")
        let said = Samples.problems(yaml, overrides: overrides)
        try file.expect(said.map { String($0.trimmingPrefix("Profiles/bad.yaml:")) })
        #expect(!said.joined().contains("hunter2"))
    }
}
