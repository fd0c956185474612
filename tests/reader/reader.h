/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A reader of our rings that believes nothing: it goes by the byte offsets that
 * perf's ABI gives, shares no code with the writer, and stops at the first byte
 * that is not as it must be.
 */
#ifndef READER_H
#define READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define READER_MAX_RECORD	(33 << 10)

/**
 * struct reader - what is expected, and what was found
 * @page: page 0
 * @with_ids: TID|TIME|CPU|RAW, else RAW alone
 * @raw: samples of raw mode, else of calls
 * @on_call: each call, 56 bytes as they came; or NULL
 * @on_lost: each LOST record, gaps included; or NULL
 * @on_domain: each FORK and EXIT record; NULL: there must be none
 * @on_raw: each sample of raw mode; or NULL
 * @ctx: first argument of these
 * @head: data_head last seen
 * @tail: how far it has read
 * @calls: samples of calls
 * @raw_samples: samples of raw mode
 * @raw_records: Xen's records in them
 * @lost_records: LOST records
 * @gaps: records that tell of a gap instead
 * @lost_ring: sum of those with id 0
 * @lost_xen: sum of the others
 * @last_ns: TIME of the last record
 * @error: what was wrong; NULL: nothing
 */
struct reader {
	unsigned char *page;
	bool with_ids;
	bool raw;
	void (*on_call)(void *ctx, const unsigned char *call);
	void (*on_lost)(void *ctx, uint64_t id, uint64_t count);
	void (*on_domain)(void *ctx, uint16_t domid, bool created, uint64_t ns);
	void (*on_raw)(void *ctx, uint32_t pcpu, const uint32_t *words, unsigned int nr_words);
	void *ctx;
	uint64_t head;
	uint64_t tail;
	uint64_t calls;
	uint64_t raw_samples;
	uint64_t raw_records;
	uint64_t lost_records;
	uint64_t gaps;
	uint64_t lost_ring;
	uint64_t lost_xen;
	uint64_t last_ns;
	const char *error;
	unsigned char record[READER_MAX_RECORD];
};

/**
 * reader_read() - read what there is
 * @r: the reader
 * @max: records at most
 *
 * Return: records read and given back to the writer, -1 if @r->error is set.
 */
int reader_read(struct reader *r, int max);

#endif /* READER_H */
