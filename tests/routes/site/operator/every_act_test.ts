/**
 * Every act of an operator, by the API and on the desk, leaves one line of the
 * audit.
 */
import { assert, assertEquals } from "@std/assert";
import {
  type ActName,
  ACTS,
  nameOf,
  type OperatorAct,
} from "../../../../domain/audit/operator_act.ts";
import type { Store } from "../../../../domain/ports.ts";
import type { Route } from "../../../../routes/route_table.ts";
import { actAtDesk, processorWithDispute } from "../../../support/desk_acts.ts";
import { openEmptyBooks } from "../../../support/empty_books.ts";
import { openAdvertiserSite } from "../../../support/advertiser_site.ts";
import {
  ACCOUNT,
  API_ACTS,
  BESIDE,
  DESK_ACTS,
  NO_ACTS,
  ONE_WAY_ALONE,
  type Ordered,
  REASON,
} from "./acts.ts";
import { prepare } from "./acts_world.ts";
import { openOperatorSite } from "./operator_site.ts";

const ANY = { subject: null, person: null, fromMs: 0, untilMs: 4e12 };

function linesOf(store: Store): Promise<OperatorAct[]> {
  return store.listOperatorActs(ANY, { limit: 500, before: null });
}

/** What changes something, and what takes the whole store away. */
function isAct({ method, path }: Route): boolean {
  return method !== "GET" || path.endsWith("/backup");
}

function assertLine(
  lines: readonly OperatorAct[],
  before: number,
  { act, subject, reason }: Ordered,
  by: string,
): void {
  assertEquals(lines.length, before + 1, `${act} leaves one line`);
  const [line] = lines;
  assert(line !== undefined);
  assertEquals(
    [line.act, line.subject, line.reason, nameOf(line.by)],
    [act, subject, reason ?? null, by],
  );
}

Deno.test("every act of the operator API leaves one line of the audit", async () => {
  await using books = await openEmptyBooks();
  const processor = { ...books.processor, ...processorWithDispute() };
  await using site = await openOperatorSite("development", { processor });
  const { store } = site.services;
  await prepare(site.services);
  const acts = site.routes.filter(isAct)
    .map(({ method, path }) => `${method} ${path.replace("/operator/v1", "")}`)
    // Demo data, which development alone makes.
    .filter((name) => !name.startsWith("POST /demo/"));
  assertEquals(acts.toSorted(), Object.keys(API_ACTS).toSorted());
  for (const [name, ordered] of Object.entries(API_ACTS)) {
    const { path, body } = ordered;
    const before = (await linesOf(store)).length;
    const [method = ""] = name.split(" ");
    const answer = await site.operate(method, path, {
      ...body !== undefined && { body },
    });
    await answer.body?.cancel();
    assertLine(await linesOf(store), before, ordered, "OPERATOR_KEY");
    site.world.clock.advance(1);
  }
});

Deno.test("every act of the desk leaves one line of the audit", async () => {
  await using books = await openEmptyBooks();
  const processor = { ...books.processor, ...processorWithDispute() };
  await using site = await openAdvertiserSite({}, { processor });
  const { store } = site.services;
  await prepare(site.services);
  const desk = await site.browser("operator");
  const acts = site.routes.filter(isAct)
    .map(({ method, path }) => `${method} ${path}`)
    .filter((name) => name.startsWith("POST /operator"))
    .filter((name) => !NO_ACTS.includes(name));
  assertEquals(acts.toSorted(), Object.keys(DESK_ACTS).toSorted());
  for (const ordered of Object.values(DESK_ACTS)) {
    const { path, isAsked } = ordered;
    const fields = ordered.body as Record<string, string> | undefined ?? {};
    const before = (await linesOf(store)).length;
    const answer = isAsked
      ? await actAtDesk(desk, path, fields)
      : await desk.post(path, new URLSearchParams(fields));
    await answer.body?.cancel();
    assertLine(await linesOf(store), before, ordered, "operator@example.com");
    site.world.clock.advance(1);
  }
});

Deno.test("every act that the audit knows is one that something does", () => {
  const done = [...Object.values(API_ACTS), ...Object.values(DESK_ACTS)]
    .map(({ act }) => act);
  assertEquals(
    [...new Set([...done, ...BESIDE])].toSorted(),
    Object.keys(ACTS).toSorted(),
  );
});

Deno.test("every act is to be had by the API and on the desk, but for those that must not be", () => {
  const [api, desk] = [API_ACTS, DESK_ACTS].map((acts) =>
    new Set([...Object.values(acts).map(({ act }) => act), ...BESIDE])
  );
  const oneWay = Object.keys(ACTS) as ActName[];
  assertEquals(
    oneWay.filter((act) => !(api?.has(act) && desk?.has(act))).toSorted(),
    Object.keys(ONE_WAY_ALONE).toSorted(),
  );
});

Deno.test("every act of the desk asks once, but for those whose form says all of it", () => {
  const unasked = Object.entries(DESK_ACTS)
    .filter(([, { isAsked }]) => !isAsked).map(([name]) => name);
  assertEquals(unasked, ["POST /operator/hold"]);
});

Deno.test("what an operator is refused leaves no line", async () => {
  await using site = await openOperatorSite();
  await prepare(site.services);
  for (
    const [path, body] of [
      [`accounts/acc_none/suspend`, { reason: REASON }],
      [`accounts/${ACCOUNT}/suspend`, { reason: " " }],
      ["creatives/ad_none/approve", undefined],
      ["spotlights/2026-11-01/refund", { note: REASON }],
      ["webhook_events/evt_none/retry", undefined],
    ] as const
  ) {
    const answer = await site.operate("POST", path, { body });
    await answer.body?.cancel();
    assert(answer.status >= 400, path);
  }
  assertEquals(await linesOf(site.services.store), []);
});
