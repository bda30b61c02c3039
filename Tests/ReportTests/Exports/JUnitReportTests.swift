import Foundation
import Measurement
import Report
import Testing

@Suite struct JUnitReportTests {
    /// What both Jenkins' xUnit plugin and Ant's JUnitReport accept, said anew as one schema: required is what one of
    /// them requires, missing is what one of them does not know.
    private static let schema = """
        <xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
          <xs:simpleType name="name"><xs:restriction base="xs:token"><xs:minLength value="1"/></xs:restriction></xs:simpleType>
          <xs:simpleType name="seconds"><xs:restriction base="xs:decimal"><xs:pattern value="[0-9]+\\.[0-9]{3}"/>
          </xs:restriction></xs:simpleType>
          <xs:simpleType name="localtime"><xs:restriction base="xs:dateTime">
            <xs:pattern value="[0-9-]{10}T[0-9:]{8}"/></xs:restriction></xs:simpleType>
          <xs:complexType name="problem"><xs:simpleContent><xs:extension base="xs:string">
            <xs:attribute name="type" type="xs:string" use="required"/>
            <xs:attribute name="message" type="xs:string" use="required"/>
          </xs:extension></xs:simpleContent></xs:complexType>
          <xs:element name="testsuites"><xs:complexType><xs:sequence>
            <xs:element name="testsuite" minOccurs="1" maxOccurs="unbounded"><xs:complexType><xs:sequence>
              <xs:element name="properties"><xs:complexType><xs:sequence>
                <xs:element name="property" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
                  <xs:attribute name="name" type="name" use="required"/>
                  <xs:attribute name="value" type="xs:string" use="required"/>
                </xs:complexType></xs:element></xs:sequence></xs:complexType></xs:element>
              <xs:element name="testcase" minOccurs="0" maxOccurs="unbounded"><xs:complexType>
                <xs:choice minOccurs="0">
                  <xs:element name="failure" type="problem"/>
                  <xs:element name="error" type="problem"/>
                  <xs:element name="skipped"><xs:complexType>
                    <xs:attribute name="message" type="xs:string" use="required"/></xs:complexType></xs:element>
                </xs:choice>
                <xs:attribute name="name" type="name" use="required"/>
                <xs:attribute name="classname" type="name" use="required"/>
                <xs:attribute name="time" type="seconds" use="required"/>
              </xs:complexType></xs:element>
              <xs:element name="system-out" type="xs:string"/>
              <xs:element name="system-err" type="xs:string"/>
            </xs:sequence>
              <xs:attribute name="name" type="name" use="required"/>
              <xs:attribute name="package" type="name" use="required"/>
              <xs:attribute name="id" type="xs:int" use="required"/>
              <xs:attribute name="timestamp" type="localtime" use="required"/>
              <xs:attribute name="hostname" type="name" use="required"/>
              <xs:attribute name="tests" type="xs:int" use="required"/>
              <xs:attribute name="failures" type="xs:int" use="required"/>
              <xs:attribute name="errors" type="xs:int" use="required"/>
              <xs:attribute name="skipped" type="xs:int" use="required"/>
              <xs:attribute name="time" type="seconds" use="required"/>
            </xs:complexType></xs:element>
          </xs:sequence></xs:complexType></xs:element>
        </xs:schema>
        """

    private static let reader = """
        import json, sys, xmlschema
        import xml.etree.ElementTree as ElementTree
        with open(sys.argv[1]) as file: schema = xmlschema.XMLSchema10(file.read())
        problems = [str(error.reason) + " at " + str(error.path) for error in schema.iter_errors(sys.argv[2])]
        suites = []
        for number, suite in enumerate(ElementTree.parse(sys.argv[2]).getroot()):
            cases = suite.findall("testcase")
            for kind, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
                if int(suite.get(name)) != sum(case.find(kind) is not None for case in cases):
                    problems.append(name + " of " + suite.get("name"))
            if int(suite.get("tests")) != len(cases) or int(suite.get("id")) != number:
                problems.append("tests or id of " + suite.get("name"))
            suites.append({"name": suite.get("name"), "tests": len(cases), "failures": int(suite.get("failures")),
                "errors": int(suite.get("errors")), "skipped": int(suite.get("skipped")),
                "messages": [problem.get("message") for case in cases for problem in case if problem.get("message")],
                "properties": {p.get("name"): p.get("value") for p in suite.find("properties")}})
        print(json.dumps({"problems": problems, "suites": suites}))
        """

    private struct Reading: Codable {
        struct Suite: Codable {
            var name: String
            var tests: Int
            var failures: Int
            var errors: Int
            var skipped: Int
            var messages: [String]
            var properties: [String: String]
        }
        var problems: [String]
        var suites: [Suite]

        subscript(name: String) -> Suite? { suites.first { $0.name == name } }
    }

    private func read(_ document: ResultDocument) throws -> Reading {
        let xml = JUnitReport(of: document).xml()
        let output = try ExportReader.python(Self.reader, Data(Self.schema.utf8), Data(xml.utf8))
        return try JSONDecoder().decode(Reading.self, from: output)
    }

    @Test(arguments: RunVerdict.Outcome.allCases)
    func failuresAndErrorsAgreeWithTheExitStatus(outcome: RunVerdict.Outcome) throws {
        let reading = try read(ExampleResult.judged(outcome))
        #expect(reading.problems == [])
        let failures = reading.suites.reduce(0) { $0 + $1.failures }
        let errors = reading.suites.reduce(0) { $0 + $1.errors }
        #expect((failures > 0) == (outcome == .failed))
        #expect((errors > 0) == [.clientLimited, .interrupted, .defect].contains(outcome))
    }

    @Test func aFailedRunFailsWhereItFailed() throws {
        let reading = try read(ExampleResult.failed())
        #expect(reading.suites.map(\.name) == ["run", "thresholds", "findings", "breaks", "generator"])
        #expect(reading["run"]?.failures == 1)
        #expect(reading["thresholds"]?.failures == 2)
        #expect(reading["findings"]?.failures == 3)
        #expect(reading["findings"]?.tests == FindingCode.table.count)
        #expect(reading["breaks"]?.messages == ["96.97% on time, 99.9% asked of all breaks"])
        #expect(reading["run"]?.properties["seed"] == "18446744073709551615")
        #expect(reading["run"]?.properties["label.release"] == "1.4.2")
    }

    @Test func aClientLimitedRunHoldsNothingAgainstTheTarget() throws {
        let reading = try read(ExampleResult.judged(.clientLimited))
        #expect(reading["thresholds"]?.skipped == 2)
        #expect(reading["generator"]?.messages.first == "loop delay above 250 ms in 12% of the seconds")
        #expect(
            reading["thresholds"]?.messages.first == "not held against the target (client_limited): observed 96.97%"
        )
    }

    @Test func anAllowedFindingIsSkippedAndAnUnheardOfOneIsKept() throws {
        var document = try ExampleResult.failed()
        document.findings[0].allowed = true
        document.findings[1].code = "of_a_later_version"
        let findings = try #require(try read(document)["findings"])
        #expect(findings.tests == FindingCode.table.count + 1)
        #expect(findings.failures == 2)
        #expect(findings.messages.contains("allowed by the profile: 20 times, 20 viewers (20%)"))
    }

    @Test func driftIsTheTargetsFailureOrTheGeneratorsError() throws {
        let verdicts: [DriftResult] = [
            ExampleResult.drift(.creeping, .target), ExampleResult.drift(.creeping, .generator),
            ExampleResult.drift(.steady, .target), ExampleResult.drift(.tooFewWindows, .target),
            ExampleResult.drift(.improving, .target),
        ]
        var document = try ExampleResult.judged(.failed)
        document.drift = verdicts
        #expect(try read(document)["drift"]?.failures == 0)
        document.verdict.reasons.append("a sentence")
        let failed = try #require(try read(document)["drift"])
        let counts = [failed.tests, failed.failures, failed.errors, failed.skipped]
        #expect(counts == [5, 1, 0, 2])
        document = try ExampleResult.judged(.clientLimited)
        document.drift = verdicts
        document.verdict.reasons.append("a sentence")
        let limited = try #require(try read(document)["drift"])
        let limitedCounts = [limited.tests, limited.failures, limited.errors, limited.skipped]
        #expect(limitedCounts == [5, 0, 1, 2])
    }

    @Test func hostileTextStaysText() throws {
        let reading = try read(ExampleResult.hostile())
        #expect(reading.problems == [])
        let expected = ExampleResult.hostileText.replacing(/[\u{0}\u{1b}\u{FFFE}]/, with: "\u{FFFD}")
        #expect(reading["run"]?.messages == [expected])
        #expect(reading["run"]?.properties["target"] == expected)
    }

    @Test func aRunThatNeverEndedOrHasNoNameIsStillValid() throws {
        var document = try ExampleResult.failed()
        document.run.profileName = ""
        document.breaks.each = []
        document.thresholds = []
        document.reconciliation = nil
        #expect(try read(document).problems == [])
    }
}
