"""Expects the manifest of a nightly job to be valid for Kubernetes, and prints the kinds of what is in it."""
import kubernetes_validate, sys, yaml
with open(sys.argv[1]) as file: documents = list(yaml.safe_load_all(file))
for document in documents: kubernetes_validate.validate(document, "1.31", strict=True)
job = documents[1]["spec"]["jobTemplate"]["spec"]
pod = job["template"]["spec"]
assert documents[1]["spec"]["concurrencyPolicy"] == "Forbid"
# A failure policy is only allowed with pods that are not restarted in place.
assert pod["restartPolicy"] == "Never"
rule = next(r for r in job["podFailurePolicy"]["rules"] if "onExitCodes" in r)
assert rule["onExitCodes"]["containerName"] in [c["name"] for c in pod["containers"]]
names = {v["name"] for v in pod["volumes"]}
assert {m["name"] for c in pod["containers"] for m in c["volumeMounts"]} == names
print(",".join(d["kind"] for d in documents))
