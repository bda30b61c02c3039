# pod_manifest: Several choices, and none named.
# expected: http_300, redirect_limit, anything
act = redirect("", status="300 Multiple Choices")
