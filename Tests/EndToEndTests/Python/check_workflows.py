"""Expects the workflows to use the script as it is, and prints what they publish."""
import re, sys, yaml
class Loader(yaml.SafeLoader): pass
# "on" is a key of GitHub's and no truth value.
Loader.yaml_implicit_resolvers = {
    first: [pair for pair in pairs if pair[0] != "tag:yaml.org,2002:bool"]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
texts = [open(path).read() for path in sys.argv[1:]]
github, gitlab = (yaml.load(text, Loader) for text in texts)
assert github["on"] == "pull_request" and github["permissions"]["pull-requests"] == "write"
steps = github["jobs"]["rehearse"]["steps"]
assert all(("run" in step) != ("uses" in step) for step in steps)
# Reports are published of a job that failed, too.
assert all(step["if"] == "always()" for step in steps[2:])
job = gitlab["rehearse"]
assert job["artifacts"]["when"] == "always" and job["allow_failure"]["exit_codes"] == [3]
for text in texts:
    assert "loadtest/rehearse.sh loadtest/base.yaml loadtest/candidate.yaml" in text
    print(*sorted(set(re.findall("podswarm-report/?[a-z.*/]*", text))), sep="\n")
    print(*sorted(set(re.findall("PODSWARM_[A-Z]+", text))), sep="\n")
