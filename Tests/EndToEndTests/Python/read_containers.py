"""Prints the one container of each Job and Deployment by its name, with what Kubernetes puts into its variables.

usage: read_containers.py MANIFEST JOB TOKEN
"""
import json, sys, yaml
with open(sys.argv[1]) as file: text = file.read().replace("podswarm-run", sys.argv[2])
found = {}
for document in yaml.safe_load_all(text):
    if document["kind"] not in ("Job", "Deployment"): continue
    name = document["metadata"]["name"]
    (container,) = document["spec"]["template"]["spec"]["containers"]
    env = {}
    for variable in container.get("env", []):
        source = variable.get("valueFrom", {})
        if "value" in variable: value = variable["value"]
        elif "secretKeyRef" in source:
            assert source["secretKeyRef"] == {"name": "podswarm-rendezvous", "key": "token"}
            value = sys.argv[3]
        else:
            path = source["fieldRef"]["fieldPath"]
            assert path == "metadata.labels['batch.kubernetes.io/job-name']"
            value = name
        env[variable["name"]] = value
    mounts = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
    found[name] = {"args": container["args"], "env": env, "mounts": mounts}
print(json.dumps(found))
