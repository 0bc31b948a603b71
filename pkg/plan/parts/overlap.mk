all: $(OUT)
check: ; @:
found: $(BATCHES:%=$(WORK)/found/%.zst)
steps: ; $(info $(BATCHES:%=$(WORK)/found/%.zst))$(info $(OUT))@:
.PHONY: all check steps found

# What each shard has of the test items.
$(WORK)/found/%.zst: $$(if $(FETCH),,$$(batch))
	rm -f $(WORK)/objects/$(notdir $(batch))
	$(each) [[recipe .Sign]] --save=$(file) --no-sync $(input)$(done)
	$(put)

# Which windows are common is known here, of all shards.
$(OUT): $(BATCHES:%=$(WORK)/found/%.zst)
	[[recipe .Decide]] -o $@ $(NOSYNC) $^
