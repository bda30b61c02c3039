"""Expects the collector to scrape as Prometheus does, and prints its scrape configuration."""
import sys, yaml
with open(sys.argv[1]) as file: collector = yaml.safe_load(file)
with open(sys.argv[2]) as file: prometheus = yaml.safe_load(file)
scrape = collector["receivers"]["prometheus"]["config"]
pipeline = collector["service"]["pipelines"]["metrics"]
for kind in ("receivers", "processors", "exporters"):
    assert set(pipeline[kind]) == set(collector[kind]), kind
assert pipeline["processors"][0] == "memory_limiter" and pipeline["processors"][-1] == "batch"
ours, theirs = scrape["scrape_configs"][0], prometheus["scrape_configs"][0]
assert ours["static_configs"] == theirs["static_configs"] and ours["job_name"] == theirs["job_name"]
assert ours["scrape_interval"] == prometheus["global"]["scrape_interval"]
yaml.safe_dump(scrape, sys.stdout)
