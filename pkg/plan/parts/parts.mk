[[if .Results]]# [[.Command]] of [[number .N "shard"]], for GNU make 4 or later. doppel [[.Version]]
#
# make -j8 makes [[join .Results ", "]].
# Each target is whole and on disk, or not there, so that make goes on where it was stopped.
# On one machine, or on several that share this directory: $(WORK)/found/1.zst for the first
# shard, and so on, are targets without order among themselves; $(OUT) is the last.
[[else]]# [[.Command]] in [[number .N "part"]], for GNU make 4 or later. doppel [[.Version]]
#
# make -j8 makes $(OUT)/SHARD of each shard. Each target is whole and on disk, or not
# there, so that make goes on where it was stopped. On one machine, or on several that
# share this directory: keys, pairs, texts, scores and kept are targets without order among
# themselves, $(WORK)/keys/1/ok for the first shard; bins and decisions are one each.
[[end]]
SHARDS = [[join .Shards " \\\n\t"]]
NUMBERS := $(shell seq $(words $(SHARDS)))
PARTS = [[range $i := .N]][[if $i]] [[end]][[$i]][[end]]
WORK ?= doppel.work
[[if .Results]]OUT ?= [[index .Results 0]]
# FETCH OBJECT FILE, if given, is a command that copies an object. Shards then are $(IN)/SHARD.
[[else]]OUT ?= kept
# FETCH OBJECT FILE and STORE FILE OBJECT, if given, are commands that copy an object. Shards
# then are $(IN)/SHARD, and what is kept is $(OUT)/SHARD; $(WORK)/stored/SHARD has its size and
# checksum, and is made when the object is complete.
[[end]]FETCH ?=
STORE ?=
IN ?=
# Seconds before a copy is tried again, doubled each time; 6 tries.
PAUSE ?= 1
# --no-sync: nothing is brought to disk.
NOSYNC ?=[[if .NoSync]] --no-sync[[end]]

SHELL = bash
.SHELLFLAGS = -o pipefail -euc

onto = $(if $(NOSYNC),,&& sync $(1))
NAMES = $(notdir $(SHARDS))
[[if .Results]]place = $(WORK)/found
ifneq ($(STORE),)
$(error STORE: the results of this makefile are files: copy them when they are made)
endif
[[else]]place = $(if $(STORE),$(WORK)/stored,$(OUT))
ifneq ($(if $(FETCH),1),$(if $(STORE),1))
$(error FETCH and STORE are given together)
endif
[[end]]# This makefile; $(WORK) belongs to one, for no target depends on options or shards.
PLAN = [[.Sum]]$(if $(FETCH), $(IN)[[if not .Results]] $(OUT)[[end]])
plan := $(shell mkdir -p $(WORK)/tmp $(WORK)/whole && cat $(WORK)/plan 2>/dev/null || ls -d $(WORK)/keys 2>/dev/null)
ifeq ($(plan),)
begun := $(shell echo '$(PLAN)' > $(WORK)/tmp/plan.$$$$ $(call onto,$(WORK)/tmp/plan.$$$$) && mv $(WORK)/tmp/plan.$$$$ $(WORK)/plan && \
	mkdir -p $(WORK)/{keys,pairs,met,texts,scores,kept,objects} $(place) $(call onto,$(WORK) $(dir $(abspath $(WORK))) $(dir $(abspath $(place)))))
plan := $(PLAN)
endif
ifneq ($(plan),$(PLAN))
$(error $(WORK) is of another makefile, with other options or shards, or another version: to begin again, rm -r $(WORK))
endif
.DELETE_ON_ERROR:
.SECONDEXPANSION:
export LC_ALL = C

[[if reads .Decide]]ifneq ($(FETCH),)
$(error FETCH: the decisions of this makefile read all shards at once: copy them to this machine first)
endif
[[end]]ifeq ($(FETCH),)
shard = $(word $*,$(SHARDS))
local = $(shard)
else
local =
shard = --name $(word $*,$(SHARDS)) < "$$scratch/in"
tried = pause=$(PAUSE); for try in 1 2 3 4 5 6; do [ $$try = 1 ] || { sleep $$pause; pause=$$((pause * 2)); }; rc=0; "$$@" || rc=$$?; [ $$rc != 0 ] || break; done; return $$rc
measured = $$(stat -c %s "$(1)") $$(sha256sum < "$(1)" | cut -c-64)
# $(call fetch,N) copies shard N to $$scratch/in. Its size and checksum are those that it had
# when its keys were made.
fetch = scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT && mkdir "$$scratch/out" && tried() { $(tried); } && fetched() { \
	rm -f "$$scratch/in"; $(FETCH) "$$1" "$$scratch/in" || { echo "$$1: cannot be fetched" >&2; return 1; }; \
	now="$(call measured,$$scratch/in)"; [ -e $(WORK)/objects/$(1) ] || { echo "$$now" > $(WORK)/tmp/object.$(1) && mv $(WORK)/tmp/object.$(1) $(WORK)/objects/$(1); }; \
	[ "$$now" = "$$(cat $(WORK)/objects/$(1))" ] || { echo "$$1: the object has changed: fetched $$now, and first $$(cat $(WORK)/objects/$(1))" >&2; return 1; }; } && \
	tried fetched "$(addsuffix /,$(IN))$(word $(1),$(SHARDS))" && 
# $(store) copies what is kept to its object, and back, which must be equal.
store = stored() { \
	$(STORE) "$$1" "$$2" || { echo "$$2: cannot be stored" >&2; return 1; }; rm -f "$$scratch/back"; \
	$(FETCH) "$$2" "$$scratch/back" || { echo "$$2: cannot be fetched" >&2; return 1; }; \
	now="$(call measured,$$scratch/back)" want="$(call measured,$$1)"; [ "$$now" = "$$want" ] || { echo "$$2: stored as $$now, and want $$want" >&2; return 1; }; } && \
	tried stored "$$scratch/out/$(@F)" "$(OUT)/$(@F)" && echo "$(call measured,$$scratch/out/$(@F)) $(OUT)/$(@F)" > $(file)
endif
new = $(WORK)/tmp/$(subst /,.,$(@D))
name = $(patsubst $(WORK)/%,%,$(1))
# A directory is made beside its place, and put there when it is whole and on disk; ok has
# the sizes of its files.
begin = rm -rf $(new) && mkdir -p $(new) $(dir $(@D))
end = find $(new) -type f ! -name ok -printf '%s $(call name,$(@D))/%P\n' > $(new)/ok \
	$(if $(NOSYNC),,&& find $(new) -print0 | xargs -0 sync) && rm -rf $(@D) && mv $(new) $(@D) $(call onto,$(dir $(@D)))
# So is a file, whose size is in $(WORK)/whole.
file = $(WORK)/tmp/$(subst /,.,$@)
size = $(WORK)/whole/$(subst /,.,$(call name,$@))
put = mkdir -p $(@D) && echo $$(stat -c %s $(file)) $(call name,$@) > $(size) $(call onto,$(file) $(size)) && mv $(file) $@ $(call onto,$(@D))
# What has another size than it had, as after a power cut of a disk that does not keep what
# it has synced, is made again. A target of its own, as $(WORK)/split/ok, looks at nothing.
ifeq ($(findstring /,$(MAKECMDGOALS)),)
$(shell export LC_ALL=C; cd $(WORK) && comm -3 <(cat {keys,texts}/*/ok {bins,split}/ok whole/* 2>/dev/null | sort) \
	<(find keys pairs met bins texts scores decisions split stored found -type f ! -name ok ! -name '.*' -printf '%s %p\n' 2>/dev/null | sort) | \
	awk '{ print $$2; sub("/[^/]*$$", "/ok", $$2); print $$2 }' | xargs -r rm -f)
[[if .Results]]$(shell for f in [[join .Results " "]]; do [ -e $$f ] || rm -f $(OUT); done)
[[else]]$(shell for n in $(NAMES); do [ -s $(place)/$$n ] || [ ! -e $(place)/$$n ] || [ -s $(WORK)/kept/$$n ] || rm $(place)/$$n; done)
[[end]]endif
# Lines with ids in column $(1) go to the files $(2)1, … of their shards.
list = $(file >$(WORK)/tmp/shards.$(@F),$(SHARDS))
byshard = seq -f '$(new)/$(2)%.0f' $(words $(SHARDS)) | xargs touch && awk -F'\t' -v dir=$(new)/$(2) \
	'NR == FNR { split($$0, s, " "); for (i in s) n[s[i]] = i; next } /^\#doppel sealed / { next } \
	{ name = $$$(1); sub(/:[0-9]+(\#[0-9]+-[0-9]+)?$$/, "", name); f = dir n[name]; if (f != last) { close(last); last = f } print >> f }' $(WORK)/tmp/shards.$(@F) -

[[if .Results]][[template "overlap" .]][[else]]all: kept
check: ; @:
keys: $(NUMBERS:%=$(WORK)/keys/%/ok)
[[.Meet]]: $(PARTS:%=$(WORK)/[[.Meet]]/%)
decisions: $(WORK)/split/ok
kept: $(NAMES:%=$(place)/%)
.PHONY: all check keys [[.Meet]] bins texts scores decisions kept

# Each shard is signed; keys that can meet are in the same part.
$(WORK)/keys/%/ok: $$(local)
	$(begin)
	rm -f $(WORK)/objects/$*
	$(call fetch,$*)[[recipe .Sign]] $(shard) | [[recipe .Keys]] --parts=[[.N]] --into=$(new)/%.zst --no-sync
	$(end)
[[if .Spans]][[template "passages" .]][[else]]
$(WORK)/pairs/%: $(NUMBERS:%=$(WORK)/keys/%/ok)
	[[recipe .Pairs]] -o $(file) --no-sync $(WORK)/keys/*/$*.zst
	$(put)
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
	$(call fetch,$*)[[recipe .Texts]] --keep=$(new)/ids $(shard) | awk -F'\t' -v dir=$(new)/ 'NR == FNR { bins[$$1] = bins[$$1] " " $$2; next } \
		{ n = split(bins[$$1], b, " "); for (i = 1; i <= n; i++) print > (dir b[i]) }' $(WORK)/bins/wanted.$* -
	$(end)

$(WORK)/scores/%: $(NUMBERS:%=$(WORK)/texts/%/ok)
	texts=($(WORK)/texts/*/$*) && [[recipe .Verify]] "$${texts[@]/#/--texts=}" -o $(file) --no-sync $(WORK)/bins/$*
	$(put)

# All pairs of a group must be seen at once.
$(WORK)/decisions: $(PARTS:%=$(WORK)/scores/%)
	[[recipe .Decide]] -o $(file) --no-sync $^
	$(put)
[[else]]
# Pairs of equal records, which are all in one part.
$(WORK)/decisions: $(PARTS:%=$(WORK)/pairs/%)
	cat $^ | sed 's/$$/	1.0000/' | [[recipe .Decide]] -o $(file) --no-sync
	$(put)
[[end]][[end]]
$(WORK)/split/ok: $(WORK)/decisions
	$(begin)
	$(list)$(call byshard,2,) < $<
	$(end)

[[range $i, $s := .Shards]]$(place)/[[base $s]]: n = [[next $i]]
[[end]]
$(NAMES:%=$(place)/%): $(WORK)/split/ok
	mkdir -p $(@D) $(WORK)/kept
	rm -f $(WORK)/kept/$(@F)
ifeq ($(FETCH),)
	[[recipe .Apply]] --decisions=$(WORK)/split/$n -o $@ $(NOSYNC) $(word $n,$(SHARDS))
	[ -s $@ ] || echo nothing is kept > $(WORK)/kept/$(@F)
else
	$(call fetch,$n)[[recipe .Apply]] --decisions=$(WORK)/split/$n -o "$$scratch/out/$(@F)" --no-sync --name $(word $n,$(SHARDS)) < "$$scratch/in" && $(store)
	$(put)
endif
[[end]]