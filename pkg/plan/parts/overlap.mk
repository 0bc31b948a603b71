all: [[or .Manifest "$(OUT)"]]
check: ; @:
found: $(BATCHES:%=$(WORK)/found/%.zst)
steps: ; $(info $(BATCHES:%=$(WORK)/found/%.zst))$(info $(OUT))[[if .Manifest]]$(info [[.Manifest]])[[end]]@:
.PHONY: all check steps found

# The passages that each shard shares with the test items.
$(WORK)/found/%.zst: $$(if $(FETCH),,$$(batch))
	rm -f $(WORK)/objects/$(subst /,:,$(batch))
	$(each) [[recipe .Sign]] --save=$(file) --no-sync $(input)$(done)
	$(put)

# Merges the shards: only here are the common windows of all shards known.
$(OUT): $(BATCHES:%=$(WORK)/found/%.zst)
	[[recipe .Decide]] -o $@ $(NOSYNC) $^
[[if .Manifest]]
# The manifest, when all results are in their places.
[[.Manifest]]: $(OUT)
	$(list)[[describe]] --manifest=$@ --output=$(OUT) $$(cat $(batches))
[[end]]