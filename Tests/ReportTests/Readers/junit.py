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
