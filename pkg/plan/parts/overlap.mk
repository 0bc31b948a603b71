all: $(OUT)
check: ; @:
found: $(NUMBERS:%=$(WORK)/found/%.zst)
.PHONY: all check found

# What each shard has of the test items.
$(WORK)/found/%.zst: $$(local)
	rm -f $(WORK)/objects/$*
	$(call fetch,$*)[[recipe .Sign]] --save=$(file) --no-sync $(shard)
	$(put)

# Which windows are common is known here, of all shards.
$(OUT): $(NUMBERS:%=$(WORK)/found/%.zst)
	[[recipe .Decide]] -o $@ $(NOSYNC) $^
