import { assert, assertEquals } from "@std/assert";
import { isFirst, takeFirst } from "../../../domain/rate_limit/first_of.ts";
import { FIRSTS } from "../../../domain/rate_limit/policy.ts";
import { openLimiter } from "./fixture.ts";

const HOUR_MS = 3_600_000;

/** Whoever draws from a network. */
function from(...of: string[]) {
  return { purpose: "new_browser_mail", of, asker: "one" } as const;
}

/** A bucket of so many tokens, for good. */
function bucket(id: string, capacity: number) {
  return { id, policy: { capacity, refillPerS: 1e-6 } };
}

Deno.test("isFirst() is yes so often as a purpose says, again after a while, and of each by itself", async () => {
  await using store = await openLimiter();
  const { limiter, clock } = store;
  const { capacity } = FIRSTS.new_browser_mail;
  for (let nth = 0; nth < capacity; nth++) {
    assert(await isFirst(limiter, from("a")));
  }
  assert(!await isFirst(limiter, from("a")));
  assert(await isFirst(limiter, from("b")));
  const other = { ...from("a"), purpose: "vat_look_up" } as const;
  assert(await isFirst(limiter, other), "another purpose has its own");
  clock.advance(HOUR_MS);
  assert(await isFirst(limiter, from("a")));
});

Deno.test("isFirst() of several is no as soon as one of them has been there, and costs the others nothing", async () => {
  await using store = await openLimiter();
  const { limiter } = store;
  const by = (...of: string[]) =>
    ({ purpose: "identity_check", of, asker: "one" }) as const;
  assert(await isFirst(limiter, by("vat 1", "card 1")));
  assert(!await isFirst(limiter, by("vat 1", "card 2")));
  assert(!await isFirst(limiter, by("vat 2", "card 1")));
  assert(await isFirst(limiter, by("vat 2", "card 2")));
  const taken = await takeFirst(
    limiter,
    by("vat 1", "card 3"),
    () => [bucket("all", 9)],
  );
  assert(!taken.isFirst && taken.verdict.admitted);
});

Deno.test("takeFirst() charges firsts and others differently, each in one commit", async () => {
  await using store = await openLimiter();
  const { limiter } = store;
  const asked: boolean[] = [];
  const take = () =>
    takeFirst(limiter, from("a"), (first) => {
      asked.push(first);
      return first ? [bucket("all", 9)] : [bucket("part", 1), bucket("all", 9)];
    });
  const taken = [await take(), await take(), await take(), await take()];
  assertEquals(taken.map((each) => each.isFirst), [true, true, false, false]);
  assertEquals(
    taken.map(({ verdict }) => verdict.admitted || verdict.emptied),
    [true, true, true, "part"],
  );
  assertEquals(asked, [true, true, true, false, true, false]);
});

Deno.test("takeFirst() refuses what another bucket refuses without asking again, and takes no first of it", async () => {
  await using store = await openLimiter();
  const { limiter } = store;
  const asked: boolean[] = [];
  const take = (id: string) =>
    takeFirst(limiter, from("a"), (first) => {
      asked.push(first);
      return [bucket(id, 1)];
    });
  assert((await take("own")).verdict.admitted);
  const { isFirst: wasFirst, verdict } = await take("own");
  assert(wasFirst && !verdict.admitted && verdict.emptied === "own");
  assertEquals(asked, [true, true]);
  // The second of its two firsts is still there.
  assertEquals((await take("other")).isFirst, true);
  assertEquals((await take("third")).isFirst, false);
});
