/** Where events stand, whatever the clock does and however many commits add some. */
import { assert, assertEquals } from "@std/assert";
import { EVENT_KEPT_MS } from "../../../domain/events/event.ts";
import { Contention } from "../../../domain/failure.ts";
import { listEvents } from "../../../domain/events/list_events.ts";
import { openTestStore } from "../../support/store.ts";
import { eventsOf, removed, tell, toldTo } from "../../support/told_events.ts";

const ADA = "acc_ada";
const scopes = ["reports:read"] as const;

Deno.test("noteEvents() gives places in the order of the commits, also by a clock that goes back", async () => {
  await using test = await openTestStore();
  const startMs = test.clock.now();
  await tell(test, ADA, removed("a"), removed("b"));
  test.clock.advance(-60_000);
  await tell(test, ADA, removed("c"));
  test.clock.advance(120_000);
  await tell(test, ADA, removed("d"));
  const events = await eventsOf(test, ADA);
  assertEquals(events.map(({ data }) => data["day"]), ["a", "b", "c", "d"]);
  assertEquals(
    events.map(({ position }) => position - startMs),
    [0, 1, 2, 60_000],
  );
});

/** Whoever loses all races begins again, as every caller of a verb may. */
async function untilTold(
  of: Parameters<typeof tell>[0],
  name: string,
): Promise<void> {
  try {
    await tell(of, ADA, removed(name));
  } catch (error) {
    if (!(error instanceof Contention)) throw error;
    await untilTold(of, name);
  }
}

Deno.test("a reader who goes on behind after misses none of the events that many commits add at once", async () => {
  await using test = await openTestStore();
  const other = { ...test, store: test.another().store };
  const names = Array.from({ length: 24 }, (_, nth) => `${nth}`);
  const tellSome = async (of: Parameters<typeof tell>[0], odd: number) => {
    for (const name of names.filter((each) => Number(each) % 2 === odd)) {
      await untilTold(of, name);
    }
  };
  const telling = Promise.all([tellSome(test, 0), tellSome(other, 1)]);
  let isTold = false;
  const done = telling.finally(() => isTold = true);
  const read: string[] = [];
  for (let after = 0, isLast = false; !isLast;) {
    isLast = isTold;
    const asked = { accountId: ADA, scopes, after, limit: 5 };
    const page = await listEvents(test, asked);
    read.push(...page.events.map(({ data }) => data["day"] ?? ""));
    after = page.after;
    isLast &&= !page.hasMore;
  }
  await done;
  assertEquals(read.toSorted(), names.toSorted());
});

Deno.test("an event is gone after 30 days, and places go on", async () => {
  await using test = await openTestStore();
  await tell(test, ADA, removed("a"));
  const [first] = await eventsOf(test, ADA);
  test.clock.advance(EVENT_KEPT_MS - 1);
  assertEquals(await toldTo(test, ADA), ["spotlight.removed a"]);
  test.clock.advance(1);
  assertEquals(await toldTo(test, ADA), []);
  const asked = { accountId: ADA, scopes, after: first?.position ?? 0 };
  const gone = await listEvents(test, { ...asked, limit: 5 });
  assertEquals(gone, { events: [], after: asked.after, hasMore: false });
  await tell(test, ADA, removed("b"));
  const next = await listEvents(test, { ...asked, limit: 5 });
  assertEquals(next.events.map(({ data }) => data["day"]), ["b"]);
});

Deno.test("a commit that was lost to a race tells nothing", async () => {
  await using test = await openTestStore();
  test.kv.inject({ on: "commit", fault: { kind: "conflict" }, times: 3 });
  await tell(test, ADA, removed("a"));
  assertEquals(await toldTo(test, ADA), ["spotlight.removed a"]);
});

Deno.test("a page reads so many rows at most, and says that more may follow", async () => {
  await using test = await openTestStore();
  const many = Array.from({ length: 300 }, (_, nth) => removed(`${nth}`));
  await tell(test, ADA, ...many);
  await tell(test, ADA, ...many);
  const asked = { accountId: ADA, scopes: [], limit: 5 };
  const first = await listEvents(test, { ...asked, after: 0 });
  assert(first.hasMore, "it has not come to the end");
  assertEquals(first.events, []);
  const rest = await listEvents(test, { ...asked, after: first.after });
  assertEquals([rest.events.length, rest.hasMore], [0, false]);
});
