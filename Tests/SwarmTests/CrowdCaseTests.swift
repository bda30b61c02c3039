import TestSupport
import Testing

/// Viewers before a scripted target in each file below `Cases`, and what its `show` lines show.
@Suite struct CrowdCaseTests {
    @Test(arguments: try CaseFile.all(in: "Tests/SwarmTests/Cases"))
    func viewersDoAsTheCaseSays(_ file: CaseFile) throws { try file.expect(try CrowdScript.play(file.text)) }
}
