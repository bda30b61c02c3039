import Foundation
import Report
import TestSupport

/// What a program that knows nothing of podswarm makes of a JUnit document.
struct JUnitReading: Codable {
    struct Suite: Codable {
        var name: String
        var tests: Int
        var failures: Int
        var errors: Int
        var skipped: Int
        var messages: [String]
        var properties: [String: String]
    }

    /// What is against the schema, and counts that are not those of the cases.
    var problems: [String]
    var suites: [Suite]

    var failures: Int { suites.reduce(0) { $0 + $1.failures } }
    var errors: Int { suites.reduce(0) { $0 + $1.errors } }

    subscript(name: String) -> Suite? { suites.first { $0.name == name } }

    init(_ report: JUnitReport) throws {
        let output = try InstalledProgram.python(Self.reader, Data(Self.schema.utf8), Data(report.xml().utf8))
        self = try JSONDecoder().decode(JUnitReading.self, from: output)
    }

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
}
