[[if .Results]]# [[.Command]] of [[number .N "shard"]], for GNU make 4 or later. doppel [[.Version]]
#
# make -j8 makes [[join .Results ", "]].
# Each target is complete and on disk, or does not exist, so make continues where it stopped.
# It runs on one machine, or on several that share this directory: make steps prints the targets,
# one step per line; the targets of a step can be made at the same time.
[[else]]# [[.Command]] in [[number .N "part"]], for GNU make 4 or later. doppel [[.Version]]
#
# make -j8 makes $(OUT)/SHARD from each shard. Each target is complete and on disk, or does not
# exist, so make continues where it stopped. It runs on one machine, or on several that share this
# directory: make steps prints the targets, one step per line; the targets of a step can be made
# at the same time.
[[end]]
# One task reads each batch of small shards.
[[range $i, $b := .Batches]]shards.[[next $i]] = [[join $b " \\\n\t"]]
[[end]]BATCHES := $(shell seq [[len .Batches]])
PARTS := $(shell seq [[.N]])
WORK ?= doppel.work
[[if .Results]]OUT ?= [[index .Results 0]]
# FETCH OBJECT FILE, if given, is a command that copies an object. Shards then are $(IN)/SHARD.
[[else]]OUT ?= kept
# FETCH OBJECT FILE and STORE FILE OBJECT, if given, are commands that copy an object. Shards
# then are $(IN)/SHARD, and their results $(OUT)/SHARD; $(WORK)/kept/1 holds the sizes and
# checksums of the first batch, and is made when its objects are complete.
[[end]]FETCH ?=
STORE ?=
IN ?=
# Seconds before a copy is tried again, doubled each time; 6 tries.
PAUSE ?= 1
# --no-sync: sync nothing.
NOSYNC ?=[[if .NoSync]] --no-sync[[end]]

SHELL = bash
.SHELLFLAGS = -o pipefail -euc

onto = $(if $(NOSYNC),,&& sync $(1))
batch = $(shards.$*)
[[if .Results]]place = $(WORK)/found
ifneq ($(STORE),)
$(error STORE: the results of this makefile are files: copy them when they are made)
endif
[[else]]place = $(if $(STORE),,$(OUT))
ifneq ($(if $(FETCH),1),$(if $(STORE),1))
$(error FETCH and STORE are given together)
endif
[[end]]# The checksum of this makefile. $(WORK) belongs to one makefile, since no target depends on
# options or shards.
PLAN = [[.Sum]] $(OUT)$(if $(FETCH), $(IN))
plan := $(shell mkdir -p $(WORK)/tmp $(WORK)/whole && cat $(WORK)/plan 2>/dev/null || ls -d $(WORK)/keys 2>/dev/null)
ifeq ($(plan),)
begun := $(shell echo '$(PLAN)' > $(WORK)/tmp/plan.$$$$ $(call onto,$(WORK)/tmp/plan.$$$$) && mv $(WORK)/tmp/plan.$$$$ $(WORK)/plan && \
	mkdir -p $(WORK)/{keys,pairs,met,texts,scores,kept,objects} $(place) $(call onto,$(WORK) $(dir $(abspath $(WORK) $(place)))))
plan := $(PLAN)
endif
ifneq ($(plan),$(PLAN))
$(error $(WORK) belongs to a makefile with other options, shards or version: to begin again, rm -r $(WORK))
endif
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDEXPANSION:
export LC_ALL = C

[[if reads .Decide]]ifneq ($(FETCH),)
$(error FETCH: the decisions of this makefile read all shards at once: copy them to this machine first)
endif
[[end]]# $(each) COMMAND $(input)$(done) runs a command on the shards of a batch: once for all files,
# or once for each object.
ifeq ($(FETCH),)
$(foreach n,$(BATCHES),$(shards.$n)): ; @echo "$@: no such shard" >&2; exit 1
each =
input = $(batch)
done =
else
each = $(fetching) for shard in $(batch); do tried fetched "$(addsuffix /,$(IN))$$shard" >&2;
input = --name "$$shard" < "$$scratch/in"
done = ; done
endif
tried = pause=$(PAUSE); for try in 1 2 3 4 5 6; do [ $$try = 1 ] || { sleep $$pause; pause=$$((pause * 2)); }; rc=0; "$$@" || rc=$$?; [ $$rc != 0 ] || break; done; return $$rc
measured = $$(stat -c %s "$(1)") $$(sha256sum < "$(1)" | cut -c-64)
# fetched copies an object to $$scratch/in. It fails if the size or checksum has changed since
# the keys were made.
fetching = scratch=$$(mktemp -d) && trap 'rm -rf "$$scratch"' EXIT && mkdir "$$scratch/out"; tried() { $(tried); }; fetched() { \
	rm -f "$$scratch/in"; $(FETCH) "$$1" "$$scratch/in" || { echo "$$1: cannot be fetched" >&2; return 1; }; \
	now="$(call measured,$$scratch/in)" was=$(WORK)/objects/$${shard//\//:}; [ -e $$was ] || { echo "$$now" > $(WORK)/tmp/object.$${was\#\#*/} && mv $(WORK)/tmp/object.$${was\#\#*/} $$was; }; \
	[ "$$now" = "$$(cat $$was)" ] || { echo "$$1: the object has changed: fetched $$now, but first $$(cat $$was)" >&2; return 1; }; };
# $(store) copies a result to its object, and back, and compares both.
result = "$$scratch/out/$${shard\#\#*/}"
object = "$(OUT)/[[if .Tree]]$$shard[[else]]$${shard\#\#*/}[[end]]"
store = stored() { \
	$(STORE) "$$1" "$$2" || { echo "$$2: cannot be stored" >&2; return 1; }; rm -f "$$scratch/back"; \
	$(FETCH) "$$2" "$$scratch/back" || { echo "$$2: cannot be fetched" >&2; return 1; }; \
	now="$(call measured,$$scratch/back)" want="$(call measured,$$1)"; [ "$$now" = "$$want" ] || { echo "$$2: stored as $$now, want $$want" >&2; return 1; }; }; \
	tried stored $(result) $(object) >&2; echo "$$now" $(object); rm $(result)
new = $(WORK)/tmp/$(subst /,.,$(@D))
name = $(patsubst $(WORK)/%,%,$(1))
# A directory is made under a temporary name, and renamed when it is complete and on disk; ok
# holds the sizes of its files.
begin = rm -rf $(new) && mkdir -p $(new) $(dir $(@D))
end = find $(new) -type f ! -name ok -printf '%s $(call name,$(@D))/%P\n' > $(new)/ok \
	$(if $(NOSYNC),,&& find $(new) -print0 | xargs -0 sync) && rm -rf $(@D) && mv $(new) $(@D) $(call onto,$(dir $(@D)))
# A file written by a filter with -o is done when its size is in $(WORK)/whole.
size = $(WORK)/whole/$(subst /,.,$(call name,$@))
sized = stat -c '%s $(call name,$@)' $@ > $(size) $(call onto,$(size))
# Other files are written under temporary names.
file = $(WORK)/tmp/$(subst /,.,$@)
put = stat -c '%s $(call name,$@)' $(file) > $(size) $(call onto,$(file) $(size)) && mv $(file) $@ $(call onto,$(@D))
# A file whose size has changed is made again, as after a power cut with a disk that loses
# synced data. With a single target, such as $(WORK)/split/ok, make does not check sizes.
ifeq ($(findstring /,$(MAKECMDGOALS))$(filter steps,$(MAKECMDGOALS)),)
$(shell export LC_ALL=C; cd $(WORK) && comm -3 <(cat {keys,texts}/*/ok {bins,split}/ok whole/* 2>/dev/null | sort) \
	<(find keys pairs met bins texts scores decisions split kept found -type f ! -name ok ! -name '.*' -printf '%s %p\n' 2>/dev/null | sort) | \
	awk '{ print $$2; sub("/[^/]*$$", "/ok", $$2); print $$2 }' | xargs -r rm -f)
[[if .Results]]$(shell for f in [[join .Results " "]]; do [ -e $$f ] || rm -f $(OUT); done)
[[else]]ifeq ($(STORE),)
$(shell cat $(WORK)/kept/* 2>/dev/null | cut -d' ' -f2 | xargs -r stat -c '%s %n' 2>/dev/null | \
	awk '! kept { size[$$2] = $$1; next } size[$$2] "" != $$1 { print FILENAME }' - kept=1 $(WORK)/kept/* 2>/dev/null | xargs -r rm -f)
endif
[[end]]endif
# bybatch writes lines with ids in column $(1) to the files $(2)1, … of their batches.
batches = $(WORK)/tmp/shards.$(@F)
list = $(file >$(batches))$(foreach n,$(BATCHES),$(file >>$(batches),$(shards.$n)))
bybatch = touch $(BATCHES:%=$(new)/$(2)%) && awk -F'\t' -v dir=$(new)/$(2) \
	'NR == FNR { split($$0, s, " "); for (i in s) n[s[i]] = NR; next } \
	{ name = $$$(1); sub(/:[0-9]+(\#[0-9]+-[0-9]+)?$$/, "", name); f = dir n[name]; if (f != last) { close(last); last = f } print >> f }' $(batches) -
# joined makes the files $(PARTS) one file in parts: see lshkeys(1).
joined = cd $(new) && cat $(PARTS) > $(1) && stat -c %s $(PARTS) > $(1).parts && rm $(PARTS)

[[if .Results]][[template "overlap" .]][[else]]all: kept[[if .Manifest]] [[.Manifest]][[end]]
check: ; @:
keys: $(BATCHES:%=$(WORK)/keys/%/ok)
[[.Meet]]: $(PARTS:%=$(WORK)/[[.Meet]]/%)
decisions: $(WORK)/split/ok
kept: $(BATCHES:%=$(WORK)/kept/%)
steps: ; $(info $(BATCHES:%=$(WORK)/keys/%/ok))$(info $(PARTS:%=$(WORK)/[[.Meet]]/%))[[if .Texts]]$(info $(WORK)/bins/ok)$(info $(BATCHES:%=$(WORK)/texts/%/ok))$(info $(PARTS:%=$(WORK)/scores/%))[[end]]$(info $(WORK)/split/ok)$(info $(BATCHES:%=$(WORK)/kept/%))[[if .Manifest]]$(info [[.Manifest]])[[end]]@:
.PHONY: all check steps keys [[.Meet]] bins texts scores decisions kept verify

# verify fetches each stored result, and forgets those that are missing or have changed, so that the
# next make stores them again.
verify:
ifneq ($(STORE),)
	$(fetching) lost=; for made in $(BATCHES:%=$(WORK)/kept/%); do \
		[ -e "$$made" ] || { echo "$$made: not made yet" >&2; lost=1; continue; }; \
		while read -r size sum name; do now=; rm -f "$$scratch/back"; \
			if tried $(FETCH) "$$name" "$$scratch/back" < /dev/null >&2; then now="$(call measured,$$scratch/back)"; fi; \
			[ "$$now" = "$$size $$sum" ] || { echo "$$name: lost or changed in the store: make again" >&2; lost=1; rm -f "$$made"; }; \
		done < "$$made"; done; [ -z "$$lost" ]
endif

[[if .Manifest]]ifneq ($(STORE),)
$(error STORE: a manifest lists files, and these results are objects)
endif
# The manifest, when all results are in their places.
[[.Manifest]]: $(BATCHES:%=$(WORK)/kept/%)
	$(list)[[describe]] --manifest=$@ --output=$(OUT)/ --decisions=$(WORK)/decisions $$(cat $(batches))

[[end]]# Each batch is signed; equal keys are in the same part.
$(WORK)/keys/%/ok: $$(if $(FETCH),,$$(batch))
	$(begin)
	rm -f $(addprefix $(WORK)/objects/,$(subst /,:,$(batch)))
	$(each) [[recipe .Sign]] $(input)$(done) | [[recipe .Keys]] --parts=[[.N]] --into=$(new)/keys.zst --no-sync
	$(end)
[[if .Spans]][[template "passages" .]][[else]]
$(WORK)/pairs/%: $(BATCHES:%=$(WORK)/keys/%/ok)
	[[recipe .Pairs]] --part=$* -o $@ $(NOSYNC) $(WORK)/keys/*/keys.zst && $(sized)
[[if .Texts]]
bins: $(WORK)/bins/ok
texts: $(BATCHES:%=$(WORK)/texts/%/ok)
scores: $(PARTS:%=$(WORK)/scores/%)

# The distinct pairs, in bins; wanted.N lists for batch N which texts go to which bins.
$(WORK)/bins/ok: $(PARTS:%=$(WORK)/pairs/%)
	$(begin)
	$(list)touch $(PARTS:%=$(new)/%)
	sort -T $(WORK)/tmp -u $^ > $(new)/all
	sort -T $(WORK)/tmp -t '	' -u -k2,2 $(new)/all > $(new)/least
	join -t '	' -2 2 -a 1 -o 1.1,1.2,2.1 $(new)/all $(new)/least | awk -F'\t' -v dir=$(new)/ -v n=[[.N]] \
		'{ least = $$3 == "" ? $$1 : $$3; sub(/.*:/, "", least); bin = least % n + 1; \
		print $$1 "\t" $$2 > (dir bin); print $$1 "\t" bin; print $$2 "\t" bin }' | \
		sort -T $(WORK)/tmp -u > $(new)/routes
	$(call bybatch,1,wanted.) < $(new)/routes
	rm $(new)/all $(new)/least $(new)/routes
	$(call joined,pairs)
	$(end)

# The texts of a batch that are compared, by bin.
$(WORK)/texts/%/ok: $(WORK)/bins/ok
	$(begin)
	cut -f1 $(WORK)/bins/wanted.$* | uniq > $(new)/ids
	$(each) [[recipe .Texts]] $(if $(FETCH),--partial )--keep=$(new)/ids $(input)$(done) | awk -F'\t' 'NR == FNR { bins[$$1] = bins[$$1] " " $$2; next } \
		{ n = split(bins[$$1], b, " "); for (i = 1; i <= n; i++) print b[i] "\t" $$0 }' $(WORK)/bins/wanted.$* - | \
		sort -T $(WORK)/tmp -s -n -k1,1 | awk -F'\t' -v n=[[.N]] -v sizes=$(new)/texts.parts '{ text = substr($$0, length($$1) + 2); size[$$1] += length(text) + 1; print text } \
		END { for (i = 1; i <= n; i++) printf "%.0f\n", size[i] > sizes }' > $(new)/texts
	rm $(new)/ids
	$(end)

$(WORK)/scores/%: $(BATCHES:%=$(WORK)/texts/%/ok)
	texts=($(WORK)/texts/*/texts) && [[recipe .Verify]] --part=$* "$${texts[@]/#/--texts=}" -o $@ $(NOSYNC) $(WORK)/bins/pairs && $(sized)

# One process must see all pairs of a group.
$(WORK)/decisions: $(PARTS:%=$(WORK)/scores/%)
	[[recipe .Decide]] -o $@ $(NOSYNC) $^ && $(sized)
[[else]]
# The pairs of equal records; all records of a pair are in one part.
$(WORK)/decisions: $(PARTS:%=$(WORK)/pairs/%)
	cat $^ | sed 's/$$/	1.0000/' | [[recipe .Decide]] -o $@ $(NOSYNC) && $(sized)
[[end]][[end]]
$(WORK)/split/ok: $(WORK)/decisions
	$(begin)
	$(list)$(call bybatch,2,) < $<
	$(end)

$(WORK)/kept/%: $(WORK)/split/ok
ifeq ($(FETCH),)
	[[recipe .Apply]] --decisions=$(WORK)/split/$* -o $(OUT)/ [[if .Tree]]--tree [[end]]$(NOSYNC) $(batch) && \
	stat -c '%s %n' $(addprefix $(OUT)/,[[if .Tree]]$(batch)[[else]]$(notdir $(batch))[[end]]) > $(file) && $(put)
else
	{ $(each) [[recipe .Apply]] --decisions=$(WORK)/split/$* -o $(result) --no-sync $(input); $(store)$(done); } > $(file)
	$(put)
endif
[[end]]
