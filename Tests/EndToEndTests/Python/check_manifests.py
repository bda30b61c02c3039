"""Expects the manifests of the cluster to be valid for Kubernetes and hardened."""
import kubernetes_validate, sys, yaml
with open(sys.argv[1]) as file: documents = list(yaml.safe_load_all(file))
for document in documents:
    for version in ("1.33", "1.36"): kubernetes_validate.validate(document, version, strict=True)
    if document["kind"] not in ("Job", "Deployment", "Pod"): continue
    pod = document["spec"] if document["kind"] == "Pod" else document["spec"]["template"]["spec"]
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] > 0
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    volumes = {volume["name"] for volume in pod["volumes"]}
    for container in pod["containers"]:
        security = container["securityContext"]
        assert security["readOnlyRootFilesystem"] and not security["allowPrivilegeEscalation"]
        assert security["capabilities"] == {"drop": ["ALL"]}
        assert {mount["name"] for mount in container["volumeMounts"]} == volumes
        resources = container["resources"]
        assert resources["requests"]["memory"] == resources["limits"]["memory"]
    if document["spec"].get("completionMode") != "Indexed": continue
    # A shard that comes again would be refused, and one that is lost must not end the others.
    assert document["spec"]["backoffLimitPerIndex"] == 0 and pod["restartPolicy"] == "Never"
    count = document["spec"]["completions"]
    variables = {variable["name"]: variable for variable in pod["containers"][0]["env"]}
    assert document["spec"]["parallelism"] == count == int(variables["PODSWARM_SHARDS"]["value"])
print("ok")
