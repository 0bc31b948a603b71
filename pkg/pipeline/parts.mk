# [[.Command]] in [[number .N "part"]], for GNU make 4 or later.
#
# make -j8 makes $(OUT)/SHARD of each shard. Each target is whole or not there, so that
# make goes on where it was stopped. On one machine, or on several that share this
# directory: keys, pairs, texts, scores and kept are targets without order among
# themselves, $(WORK)/keys/1/ok for the first shard; bins and decisions are one each.

SHARDS = [[join .Shards " \\\n\t"]]
NUMBERS = $(shell seq $(words $(SHARDS)))
PARTS = [[range $i := .N]][[if $i]] [[end]][[$i]][[end]]
WORK ?= doppel.work
OUT ?= kept

$(shell mkdir -p $(WORK)/tmp)

SHELL = bash
.SHELLFLAGS = -o pipefail -euc
.DELETE_ON_ERROR:
.SECONDARY:
.SECONDEXPANSION:
export LC_ALL = C

NAMES = $(notdir $(SHARDS))
shard = $(word $*,$(SHARDS))
new = $(WORK)/tmp/$(subst /,.,$(@D))
# A directory is made beside its place, and put there when it is whole.
begin = rm -rf $(new) && mkdir -p $(new) $(dir $(@D))
end = touch $(new)/ok && rm -rf $(@D) && mv $(new) $(@D)
# Lines with ids in column $(1) go to the files $(2)1, … of their shards.
list = $(file >$(WORK)/tmp/shards.$(@F),$(SHARDS))
byshard = seq -f '$(new)/$(2)%.0f' $(words $(SHARDS)) | xargs touch && awk -F'\t' -v dir=$(new)/$(2) \
	'NR == FNR { split($$0, s, " "); for (i in s) n[s[i]] = i; next } \
	{ name = $$$(1); sub(/:[0-9]+(\#[0-9]+-[0-9]+)?$$/, "", name); f = dir n[name]; if (f != last) { close(last); last = f } print >> f }' $(WORK)/tmp/shards.$(@F) -

all: kept
keys: $(NUMBERS:%=$(WORK)/keys/%/ok)
[[.Meet]]: $(PARTS:%=$(WORK)/[[.Meet]]/%)
decisions: $(WORK)/split/ok
kept: $(NAMES:%=$(OUT)/%)
.PHONY: all keys [[.Meet]] bins texts scores decisions kept

# Each shard is signed; keys that can meet are in the same part.
$(WORK)/keys/%/ok: $$(word $$*,$(SHARDS))
	$(begin)
	[[recipe .Sign]] $(shard) | [[recipe .Keys]] --parts=[[.N]] --into=$(new)/%.zst
	$(end)
[[if .Spans]][[template "passages" .]][[else]]
$(WORK)/pairs/%: $(NUMBERS:%=$(WORK)/keys/%/ok)
	mkdir -p $(@D)
	[[recipe .Pairs]] -o $@ $(WORK)/keys/*/$*.zst
[[if .Texts]]
bins: $(WORK)/bins/ok
texts: $(NUMBERS:%=$(WORK)/texts/%/ok)
scores: $(PARTS:%=$(WORK)/scores/%)

# Pairs once each, in bins; and in wanted.N of each shard which texts go to which bins.
$(WORK)/bins/ok: $(PARTS:%=$(WORK)/pairs/%)
	$(begin)
	$(list)touch $(PARTS:%=$(new)/%)
	sort -T $(WORK)/tmp -u $^ > $(new)/all
	sort -T $(WORK)/tmp -t '	' -u -k2,2 $(new)/all > $(new)/least
	join -t '	' -2 2 -a 1 -o 1.1,1.2,2.1 $(new)/all $(new)/least | awk -F'\t' -v dir=$(new)/ -v n=[[.N]] \
		'{ least = $$3 == "" ? $$1 : $$3; sub(/.*:/, "", least); bin = least % n; \
		print $$1 "\t" $$2 > (dir bin); print $$1 "\t" bin; print $$2 "\t" bin }' | \
		sort -T $(WORK)/tmp -u > $(new)/routes
	$(call byshard,1,wanted.) < $(new)/routes
	rm $(new)/all $(new)/least $(new)/routes
	$(end)

# What of a shard is compared, in the bins where it is.
$(WORK)/texts/%/ok: $(WORK)/bins/ok
	$(begin)
	touch $(PARTS:%=$(new)/%)
	cut -f1 $(WORK)/bins/wanted.$* | uniq > $(new)/ids
	[[recipe .Texts]] --keep=$(new)/ids $(shard) | awk -F'\t' -v dir=$(new)/ 'NR == FNR { bins[$$1] = bins[$$1] " " $$2; next } \
		{ n = split(bins[$$1], b, " "); for (i = 1; i <= n; i++) print > (dir b[i]) }' $(WORK)/bins/wanted.$* -
	$(end)

$(WORK)/scores/%: $(NUMBERS:%=$(WORK)/texts/%/ok)
	mkdir -p $(@D)
	texts=($(WORK)/texts/*/$*) && [[recipe .Verify]] "$${texts[@]/#/--texts=}" -o $@ $(WORK)/bins/$*

# All pairs of a group must be seen at once.
$(WORK)/decisions: $(PARTS:%=$(WORK)/scores/%)
	[[recipe .Decide]] -o $@ $^
[[else]]
# Pairs of equal records, which are all in one part.
$(WORK)/decisions: $(PARTS:%=$(WORK)/pairs/%)
	cat $^ | sed 's/$$/	1.0000/' | [[recipe .Decide]] -o $@
[[end]][[end]]
$(WORK)/split/ok: $(WORK)/decisions
	$(begin)
	$(list)$(call byshard,2,) < $<
	$(end)

[[range $i, $s := .Shards]]$(OUT)/[[base $s]]: n = [[next $i]]
[[end]]
$(NAMES:%=$(OUT)/%): $(WORK)/split/ok
	mkdir -p $(@D)
	[[recipe .Apply]] --decisions=$(WORK)/split/$n -o $@ $(word $n,$(SHARDS))
