import { assertEquals } from "@std/assert";
import { Bucket } from "../../../domain/rate_limit/bucket.ts";
import { TOKEN } from "../../../domain/rate_limit/bucket_level.ts";
import { LEASE, type LeasePolicy } from "../../../domain/rate_limit/lease.ts";
import { EXPIRY_MARGIN_MS } from "../../../domain/rate_limit/stored_level.ts";

const NOW_MS = 1_700_000_000_000;
/** What was held then is no longer. */
const LATER_MS = NOW_MS + 10_000;
const POLICY = { capacity: 120, refillPerS: 2 };
/** As much as is wanted. */
const GREEDY: LeasePolicy = { first: 7, most: 1_000, share: 1 };

/** What a read or a commit of a row answers. */
function row(tokens: number, versionstamp: string | null, atMs = NOW_MS) {
  const level = { milliTokens: tokens * TOKEN, atMs };
  return { level, versionstamp };
}

/** A bucket of which the store was just told. */
function written(tokens: number, leased = 0): Bucket {
  const bucket = new Bucket("a", "a", POLICY);
  const { level, versionstamp } = row(tokens, "v1");
  bucket.remember(level, versionstamp, leased);
  return bucket;
}

Deno.test("a bucket whose level is of a moment to come waits for that moment first", () => {
  const bucket = new Bucket("a", "a", POLICY);
  bucket.remember(row(0, "v1").level, "v1");
  assertEquals(bucket.secondsToToken(NOW_MS - 10_000), 11);
  assertEquals(bucket.secondsToToken(NOW_MS), 1);
});

Deno.test("a level from as far ahead as clocks may differ is believed, and one from further is not", () => {
  const empty = written(0);
  assertEquals(empty.isEmpty(NOW_MS - EXPIRY_MARGIN_MS), true);
  assertEquals(empty.isEmpty(NOW_MS - EXPIRY_MARGIN_MS - 1), false);
});

Deno.test("a bucket that another isolate writes is read first eight times, and until then takes nothing ahead", () => {
  const bucket = written(100, 1);
  bucket.adopt(row(90, "theirs"), LATER_MS);
  for (let left = 8; left > 0; left--) {
    assertEquals(bucket.isUsable(LATER_MS), false, `${left} reads left`);
    assertEquals(bucket.isLow(LEASE, LATER_MS), false, `${left} reads left`);
    assertEquals(bucket.renewLease(LEASE, 90 * TOKEN, LATER_MS), 0);
    bucket.adopt(row(90, "theirs"), LATER_MS);
  }
  assertEquals(bucket.isUsable(LATER_MS), true);
  assertEquals(bucket.isLow(LEASE, LATER_MS), true);
  assertEquals(bucket.renewLease(LEASE, 90 * TOKEN, LATER_MS), LEASE.first);
});

Deno.test("a bucket that is met with a row of others takes nothing ahead at first, and then what it is asked for", () => {
  const bucket = new Bucket("a", "a", POLICY);
  bucket.adopt(row(90, "theirs"), LATER_MS);
  assertEquals(bucket.renewLease(LEASE, 90 * TOKEN, LATER_MS), 0);
  bucket.remember(row(89, "ours").level, "ours");
  assertEquals(bucket.renewLease(LEASE, 89 * TOKEN, LATER_MS), LEASE.first);
});

Deno.test("whoever uses up a lease in time has one of twice the size and one more", () => {
  const bucket = written(100, 5);
  assertEquals(bucket.renewLease(GREEDY, 100 * TOKEN, NOW_MS), 11);
});

Deno.test("nothing is taken ahead anew where it would be no more than is held", () => {
  const bucket = written(100, 4);
  const leaves = (most: number) => ({ first: 1, most, share: 1 });
  const later = NOW_MS + 9_000;
  assertEquals(bucket.isLow(leaves(4), later), false);
  assertEquals(bucket.isLow(leaves(5), later), true);
});

Deno.test("held tokens go on being given while a commit is under way that takes none of them back", () => {
  const keeps = written(60, 10);
  // What is left with the new lease is what the row has without them.
  keeps.renewLease({ first: 10, most: 10, share: 1 }, 70 * TOKEN, NOW_MS);
  assertEquals(keeps.give(NOW_MS), { admitted: true, remaining: 69 });
  const returns = written(60, 10);
  returns.renewLease({ first: 0, most: 0, share: 1 }, 70 * TOKEN, NOW_MS);
  assertEquals(returns.give(NOW_MS), null);
});

Deno.test("a bucket of which nothing is known is neither empty nor full, and what was known is not believed once it is in doubt", () => {
  const unknown = new Bucket("a", "a", POLICY);
  assertEquals(unknown.isFull(NOW_MS), false);
  const empty = written(0);
  empty.doubt();
  assertEquals(empty.isEmpty(NOW_MS), false);
  const full = written(120);
  full.doubt();
  assertEquals(full.isFull(NOW_MS), false);
  const usable = written(50);
  assertEquals(usable.isUsable(NOW_MS), true);
  usable.doubt();
  assertEquals(usable.isUsable(NOW_MS), false);
});

Deno.test("what was held is gone with the level it was held of", () => {
  const doubted = written(50, 10);
  doubted.doubt();
  assertEquals(doubted.milliTokensAt(NOW_MS), 50 * TOKEN);
  const others = written(50, 10);
  others.adopt(row(90, "theirs"), NOW_MS);
  assertEquals(others.milliTokensAt(NOW_MS), 90 * TOKEN);
});
