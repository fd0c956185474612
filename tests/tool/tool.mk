# SPDX-License-Identifier: GPL-2.0
#
# Tests of the tool that need no Xen:
#
#   make tool-check           every tests/tool/*.t
#   make tool-big             a recording of 1 GB, which takes a while
#   make bench-report         hctrace report beside xenalyze; a part of make bench
#
# Included by the top Makefile, behind tools/tools.mk.

TOOL_TESTS	?= $(wildcard tests/tool/*.t)
MKTRACE		:= $(TOOL_OUT)/mktrace
FAKE_DEVICE	:= $(TOOL_OUT)/fake_device.so
MKTRACE_SRCS	:= tests/tool/mktrace.c tests/fakexen/producer.c tests/fakexen/xentrace.c \
	$(addprefix module/core/,account.c decode.c names.c)
MKPERF		:= $(TOOL_OUT)/mkperf
MKPERF_SRCS	:= tests/tool/mkperf.c \
	$(addprefix tools/hctrace/,perfdata_features.c perfdata_format.c perfdata_write.c) \
	$(addprefix module/core/,account.c decode.c names.c)
TOOL_TEST_ENV	:= HCTRACE=$(abspath $(TOOL_OUT)/hctrace) MKTRACE=$(abspath $(MKTRACE)) \
	MKPERF=$(abspath $(MKPERF)) FAKE_DEVICE=$(abspath $(FAKE_DEVICE))

.PHONY: tool-check tool-big
tool-check: tool $(MKTRACE) $(MKPERF) $(FAKE_DEVICE)
	$(TOOL_TEST_ENV) prove $(TOOL_TESTS)

tool-big: tool $(MKTRACE)
	$(TOOL_TEST_ENV) prove -v tests/tool/by-hand/big.t

$(MKTRACE): $(MKTRACE_SRCS) $(TEST_HDRS)
	@mkdir -p $(@D)
	$(CC) $(TOOL_CFLAGS) -Werror -o $@ $(MKTRACE_SRCS)

FAKE_DEVICE_SRCS := tests/tool/fake_device.c $(addprefix module/core/,filter.c ring.c ring_tell.c)

$(FAKE_DEVICE): $(FAKE_DEVICE_SRCS) $(TEST_HDRS)
	@mkdir -p $(@D)
	$(CC) $(TEST_CFLAGS) -O2 -shared -fPIC -Wl,-z,defs -o $@ $(FAKE_DEVICE_SRCS) -ldl -lpthread

$(MKPERF): $(MKPERF_SRCS) $(TEST_HDRS)
	@mkdir -p $(@D)
	$(CC) $(TOOL_CFLAGS) -Werror -o $@ $(MKPERF_SRCS)

.PHONY: bench-report
bench-report: $(TOOL_OUT)/hctrace $(MKTRACE) $(BENCH_OUT)/repeat_trace
	tests/bench/xenalyze.sh $^

$(BENCH_OUT)/repeat_trace: tests/bench/repeat_trace.c $(TEST_HDRS)
	@mkdir -p $(@D)
	$(CC) $(TEST_CFLAGS) -O2 -o $@ $<
