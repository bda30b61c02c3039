# pod_manifest: A gigabyte in a megabyte, as a pod.
# expected: body_too_large
act = coded(lambda body: bomb())
