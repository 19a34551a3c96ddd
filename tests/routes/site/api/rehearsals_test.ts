import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { PRACTICE_SCENES } from "../../../../domain/sandbox/practice_scenes.ts";
import { sectionOf } from "../../../support/documents.ts";
import { rehearsalCalls, rehearsalPath } from "../../../support/rehearsals.ts";
import { openSite } from "../../../support/site_app.ts";

const CELL = /`([^`]+)`/;

/** What docs/developers.md says of a value. */
interface Row {
  member: string;
  value: string | number;
  readiness: string;
  next: string;
  /** Status and the last part of the type. */
  answer: [status: number, kind: string | null];
  settles: string | null;
}

/** The rows of "What to try in a rehearsal". */
function rows(): Row[] {
  const section = sectionOf("/developers.md", "What to try in a rehearsal");
  return section.split("\n").filter((line) => line.startsWith("| `"))
    .map((line) => {
      const cells = line.split("|").slice(1, -1);
      const code = (at: number) => CELL.exec(cells[at] ?? "")?.[1] ?? "";
      const member = code(0);
      return {
        member,
        value: member === "amount_cents" ? Number(code(1)) : code(1),
        readiness: code(2),
        next: code(3),
        answer: [Number.parseInt(cells[4] ?? ""), code(4) || null],
        settles: code(5) || null,
      };
    });
}

for (const { member, value, readiness, next, answer, settles } of rows()) {
  Deno.test(`a rehearsal with ${member} ${value} meets what the table says`, async () => {
    await using site = await openSite();
    const calls = rehearsalCalls(site, "rehearsal-1");
    const asked = { [member]: value };
    const { sandbox, first_bid: found } = await calls.me(asked);
    assertEquals(sandbox, true);
    const codes = found.requirements
      .map(({ code }: { code: string }) => code)
      .filter((code: string) => code !== "ok");
    assert((codes[0] ?? "ok") === readiness, `${codes} is ${readiness}`);
    assertEquals(found.next_action.actor, next);

    const answered = await calls.bid(asked);
    const body = await answered.json();
    assertEquals(body.sandbox, true);
    const kind = body.error?.code ?? body.type?.split("/").at(-1) ?? null;
    assertEquals([answered.status, kind], answer);

    const { bids } = await (await calls.settle()).json();
    const statuses = bids.map(({ status }: { status: string }) => status);
    assertEquals(statuses, settles === null ? [] : [settles]);
  });
}

Deno.test("the table of rehearsals names every creative that there is in them", () => {
  const named = rows().filter(({ member }) => member === "ad_id")
    .map(({ value }) => value);
  const unknown = named.filter((name) => !Object.hasOwn(PRACTICE_SCENES, name));
  assertEquals(unknown, ["ad_of_nobody"]);
  assertEquals(
    named.filter((name) => name !== "ad_of_nobody").toSorted(),
    Object.keys(PRACTICE_SCENES).toSorted(),
  );
});

Deno.test("a rehearsed bid is raised, not lowered, and settled once", async () => {
  await using site = await openSite();
  const calls = rehearsalCalls(site, "rehearsal-1");
  const placed = await (await calls.bid({}, "a")).json();
  assertEquals([placed.phase, placed.bidCount], ["OPEN", 3]);
  const raised = await (await calls.bid({ amount_cents: 2_600 }, "b")).json();
  assertEquals(raised.bidCount, 3);
  const lower = await calls.bid({ amount_cents: 2_600 }, "c");
  assertEquals(lower.status, 409);
  const [bid] = (await (await calls.settle()).json()).bids;
  assertEquals([bid.amount_cents, bid.status], [2_600, "won"]);
  const again = await calls.settle("again");
  assertEquals((await again.json()).bids, [bid]);
  const auction = await calls.get("/auction?day=2025-01-01");
  assertEquals((await auction.json()).phase, "CLOSED");
  const late = await (await calls.bid({ amount_cents: 2_700 }, "d")).json();
  assertEquals(late.type.split("/").at(-1), "auction-closed");
});

Deno.test("a rehearsed bid whose answer was lost is found and repeated", async () => {
  await using site = await openSite();
  const calls = rehearsalCalls(site, "rehearsal-1");
  const asked = { ad_id: "ad_practice_lost_answer" };
  const lost = await calls.bid(asked);
  assertEquals(lost.status, 503);
  assertEquals(lost.headers.get("retry-after"), "1");
  const found = await (await calls.get("/bids?day=2025-01-01")).json();
  assertEquals(found.bids.length, 1);
  const again = await calls.bid(asked);
  assertEquals(again.status, 200);
  assertEquals(again.headers.get("idempotent-replayed"), "true");
  assertEquals((await again.json()).sandbox, true);
  const one = await calls.get(`/bids/${found.bids[0].id}`);
  assertEquals((await one.json()).amount_cents, 2_500);
});

Deno.test("a key of a rehearsal is bound to its request", async () => {
  await using site = await openSite();
  const calls = rehearsalCalls(site, "rehearsal-1");
  await calls.bid();
  const other = await (await calls.bid({ amount_cents: 2_600 })).json();
  assertEquals(other.type.split("/").at(-1), "key-reused");
  const without = await site.ask(`${rehearsalPath("rehearsal-1")}/bids`, {
    method: "POST",
  });
  assertEquals(
    (await without.json()).code,
    "agent.idempotency-key-required",
  );
});

Deno.test("next_action of a rehearsal stays in it", async () => {
  await using site = await openSite();
  const { first_bid: found } = await rehearsalCalls(site, "rehearsal-1").me();
  assertEquals(
    found.next_action.url,
    `https://spotlight.example${rehearsalPath("rehearsal-1")}/bids`,
  );
});

Deno.test("no answer of a rehearsal sends anybody to a real page, or has them wait in vain", async () => {
  await using site = await openSite();
  const calls = rehearsalCalls(site, "rehearsal-1");
  const stands = "a bid stands there with day 2025-01-01 and ad_id ad_practice";
  const scenes = [
    { day: "2026-11-23" },
    { day: "2025-01-02" },
    { day: "2024-12-31" },
    { ad_id: "ad_of_nobody" },
    ...Object.keys(PRACTICE_SCENES).map((ad_id) => ({ ad_id })),
  ];
  let met = 0;
  for (const scene of scenes) {
    const { first_bid: found } = await calls.me(scene);
    for (
      const { url, label, tool } of [
        found.next_action,
        // deno-lint-ignore no-explicit-any -- an answer as it came
        ...found.requirements.flatMap(({ action }: any) => action ?? []),
      ]
    ) {
      if (tool === "place_bid") continue;
      const isThere = url.startsWith(
        `https://spotlight.example${rehearsalPath("rehearsal-1")}/`,
      );
      assert(
        isThere || url.startsWith("https://spotlight.example/developers/"),
        url,
      );
      assertStringIncludes(label, stands);
      met += 1;
    }
    // deno-lint-ignore no-explicit-any -- an answer as it came
    for (const { detail } of found.requirements as any[]) {
      assert(!detail.includes("https://"), detail);
    }
  }
  assert(met > scenes.length / 2);
});

Deno.test("a refusal of a rehearsal says with what a bid stands there", async () => {
  await using site = await openSite();
  const calls = rehearsalCalls(site, "rehearsal-1");
  const detailOf = async (changes: Record<string, unknown>, key: string) => {
    const answer = await calls.bid(changes, key);
    return (await answer.json()).detail as string;
  };
  for (
    const adId of [
      "ad_practice_draft",
      "ad_practice_suspended",
      "ad_practice_mandate_missing",
      "ad_practice_mandate_expired",
    ]
  ) {
    const detail = await detailOf({ ad_id: adId }, adId);
    assertStringIncludes(detail, "with day 2025-01-01 and ad_id ad_practice");
    // Its readiness is read in the rehearsal, too.
    const addresses = detail.match(/https:\S+/g) ?? [];
    for (const address of addresses) {
      assertStringIncludes(address, rehearsalPath("rehearsal-1"));
    }
  }
  for (const day of ["2026-11-23", "2024-12-31"]) {
    assertStringIncludes(
      await detailOf({ day }, day),
      "it is 2025-01-01 in a rehearsal",
    );
  }
  await calls.settle();
  assertStringIncludes(await detailOf({}, "late"), "begin another rehearsal");
  const { first_bid: found } = await calls.me();
  assertStringIncludes(
    found.next_action.label,
    "begin another rehearsal, by another name",
  );
});

for (const name of ["short", "x".repeat(65), "eight%20or", "rehearsal%2F1"]) {
  Deno.test(`a rehearsal named ${name.slice(0, 20)} is 400, and marked`, async () => {
    await using site = await openSite();
    const answer = await site.ask(`${rehearsalPath(name)}/me`);
    assertEquals(answer.status, 400);
    const { sandbox, code } = await answer.json();
    assertEquals([sandbox, code], [true, "agent.bad-request"]);
  });
}

Deno.test("every answer of a rehearsal is marked, limited and open to scripts", async () => {
  await using site = await openSite();
  const calls = rehearsalCalls(site, "rehearsal-1");
  const answers = [
    await calls.get("/me"),
    await calls.get("/me?day=never"),
    await calls.get("/bids?day=2025-01-01"),
    await calls.get("/bids/bid_1"),
    await calls.get("/nothing"),
    await site.ask(`${rehearsalPath("rehearsal-1")}/me`, { method: "POST" }),
    await calls.bid(),
    await calls.bid({ amount_cents: 1 }),
    await calls.settle(),
  ];
  for (const answer of answers) {
    const { headers } = answer;
    assertEquals((await answer.json()).sandbox, true, `${answer.status}`);
    assertEquals(headers.get("cache-control"), "no-store");
    assertEquals(headers.get("access-control-allow-origin"), "*");
    assert(headers.has("ratelimit"));
  }
});

Deno.test("one /48 changes rehearsals and makes jobs 480 times at once together, and goes on reading", async () => {
  await using site = await openSite([], { trustedProxyHops: 1 });
  const from = (nth: number) => ({
    "x-forwarded-for": `2001:db8:1:${(nth % 64).toString(16)}00::1`,
    "idempotency-key": `key-${nth}`,
  });
  for (let nth = 0; nth < 479; nth++) {
    const path = "/api/v1/sandbox/jobs";
    await site.ask(path, { method: "POST", headers: from(nth) });
  }
  const settle = (nth: number) =>
    site.ask(`${rehearsalPath("rehearsal-1")}/settle`, {
      method: "POST",
      headers: from(nth),
    });
  assertEquals([(await settle(479)).status, (await settle(480)).status], [
    200,
    429,
  ]);
  const read = await site.ask(`${rehearsalPath("rehearsal-1")}/me`, {
    headers: from(481),
  });
  assertEquals(read.status, 200);
});

Deno.test("who asks a rehearsal for what it has not is told what it has", async () => {
  await using site = await openSite();
  const calls = rehearsalCalls(site, "rehearsal-1");
  for (const path of ["/events", "/creatives", "/creatives/ad_practice"]) {
    const answer = await calls.get(path);
    const { detail } = await answer.json();
    assertEquals([answer.status, path], [404, path]);
    assert(
      detail.endsWith(
        "below the name of your rehearsal there are only " +
          "GET /v1/agent/me, GET /v1/agent/auction, GET /v1/agent/bids, " +
          "GET /v1/agent/bids/{id}, POST /v1/agent/bids, POST /v1/agent/settle",
      ),
      detail,
    );
  }
});

Deno.test("a creative or card that no rehearsal has is refused with one that it has", async () => {
  await using site = await openSite();
  const calls = rehearsalCalls(site, "rehearsal-1");
  for (
    const [named, said] of [
      [{ ad_id: "ad_of_nobody" }, '"ad_practice"'],
      [{ payment_method_id: "pm_of_nobody" }, '"pm_practice"'],
    ] as const
  ) {
    const answer = await calls.bid(named);
    const { detail } = await answer.json();
    assertEquals(answer.status, 404);
    assert(detail.includes(said), detail);
    assert(!detail.includes("GET /v1/agent"), detail);
  }
});
