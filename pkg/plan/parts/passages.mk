# The runs of a part that occur more than once.
$(WORK)/met/%: $(BATCHES:%=$(WORK)/keys/%/ok)
	printf '%s\0' $(WORK)/keys/*/keys.zst | xargs -0 -n 1000 [[concatenate]] --part=$* | sort -T $(WORK)/tmp | awk -F'\t' ' \
		$$1 == key { if (held != "") print held; held = ""; print; next } \
		{ key = $$1; held = $$0 } /\*$$/ { print; held = "" }' > $(file)
	$(put)

# A passage may occur in any two shards, so this step reads all shards.
$(WORK)/decisions: $(PARTS:%=$(WORK)/met/%)
	[[recipe .Decide]] -o $@ $(NOSYNC) $^ && $(sized)
