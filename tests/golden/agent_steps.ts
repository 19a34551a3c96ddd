/**
 * Every operation of the agent API with everything it may come to, as steps
 * that either surface can take.
 *
 * @module
 */
import { type Scope, SCOPES } from "../../domain/oauth/grant.ts";
import { AGENT_OPERATIONS } from "../../routes/operations/agent_operations.ts";
import { placeOf } from "../../routes/operations/operation.ts";
import { BID_DAY } from "../support/bidding_world.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";
import {
  bidTwin,
  openTwins,
  type Twin,
  type TwinWorld,
} from "../support/twins.ts";
import { CLICKS, count, DAY } from "../routes/auth/agent/report_world.ts";

/** A step, and by whom. */
export interface Step extends Twin {
  as: "ada" | "bob";
}

/** Each operation with its scope, and the least that is asked of it. */
export const REQUESTS: readonly (readonly [Scope, string, string])[] =
  AGENT_OPERATIONS.map((operation) => {
    const { method, path } = placeOf(operation);
    const rest = `${method} ${path.replaceAll(/\{\w+\}/g, "x")}`;
    const tool = operation.kind === "download" ? "" : operation.tool;
    return [operation.scope, tool, rest];
  });

/** All scopes but one. */
export function without(scope: Scope): Scope[] {
  return SCOPES.filter((each) => each !== scope);
}

/** The world, with days that ada and bob have won. */
export async function openGolden(): Promise<TwinWorld> {
  const world = await openTwins();
  const { ada, bob, api } = world;
  const { store } = api.world.services;
  await settle(
    store,
    spotlight(DAY, { accountId: ada.account.id }),
    spotlight("2026-11-17", { accountId: bob.account.id }),
    spotlight("2026-11-18", { accountId: ada.account.id }),
  );
  await count(store, DAY, CLICKS);
  return world;
}

const COPY = {
  headline: "Winter running shoes",
  description: "Grip on ice, tested on Finnish lakes",
  target_url: "https://shoes.example/winter",
};

function get(tool: string, path: string, given: Twin["given"] = {}): Step {
  return { as: "ada", tool, given, rest: `GET /v1/agent/${path}` };
}

function change(
  tool: string,
  rest: string,
  { path = {}, body, key }: {
    path?: Record<string, string>;
    body?: Record<string, unknown>;
    key?: string;
  },
): Step {
  const given = {
    ...path,
    ...body,
    ...key !== undefined && { idempotency_key: key },
  };
  const [method = "", below = ""] = rest.split(" ");
  const request = `${method} /v1/agent/${below}`;
  return {
    as: "ada",
    tool,
    given,
    rest: request,
    ...body !== undefined && { body },
    ...key !== undefined && { key },
  };
}

/** The readings; `ids` are those of what was made before. */
export function reads(
  { ada, bob }: TwinWorld,
  ids: Readonly<Record<string, string>>,
): Step[] {
  const { own = "", others = "", cursor = "" } = ids;
  const asked = { day: BID_DAY, ad_id: ada.adId, amount_cents: 2_000 };
  const query = `day=${BID_DAY}&ad_id=${ada.adId}&amount_cents=2000`;
  const never = { from: "2026-11-18", to: "2026-11-01" };
  const won = { from: "2026-11-01", to: "2026-11-18" };
  return [
    get("get_account", "me"),
    get("get_account", `me?${query}`, asked),
    get("get_account", "me?amount_cents=0", { amount_cents: 0 }),
    get("get_account", "me?amount_cents=x", { amount_cents: "x" }),
    get("get_account", "me?ad_id=%21", { ad_id: "!" }),
    get("get_account", "me?day=2026-02-30", { day: "2026-02-30" }),
    get("get_account", "me?day=2026-11-20&day=2026-11-20", { days: 1 }),
    get("get_auction", `auction?day=${BID_DAY}`, { day: BID_DAY }),
    get("get_auction", "auction?day=2026-12-24", { day: "2026-12-24" }),
    get("get_auction", "auction", {}),
    get("get_auction", "auction?day=soon", { day: "soon" }),
    get("list_my_bids", `bids?day=${BID_DAY}`, { day: BID_DAY }),
    get("list_my_bids", "bids?day=2020-01-01", { day: "2020-01-01" }),
    get("list_my_bids", "bids", {}),
    get("get_bid", `bids/${own}`, { id: own }),
    get("get_bid", `bids/${others}`, { id: others }),
    get("get_bid", "bids/%00", { id: "\0" }),
    get("list_creatives", "creatives"),
    get("list_creatives", "creatives?limit=1", { limit: 1 }),
    get("list_creatives", "creatives?limit=0", { limit: 0 }),
    get("list_creatives", "creatives?cursor=!", { cursor: "!" }),
    get("get_creative", `creatives/${ada.adId}`, { ad_id: ada.adId }),
    get("get_creative", `creatives/${bob.adId}`, { ad_id: bob.adId }),
    get("get_creative", "creatives/a%20b", { ad_id: "a b" }),
    get("list_invoices", "invoices"),
    get("list_invoices", "invoices?limit=1", { limit: 1 }),
    get("list_invoices", `invoices?limit=1&cursor=${cursor}`, {
      limit: 1,
      cursor,
    }),
    get("list_invoices", "invoices?cursor=!", { cursor: "!" }),
    get("get_invoice", "invoices/SPOT-0001", { number: "SPOT-0001" }),
    get("get_invoice", "invoices/SPOT-0003", { number: "SPOT-0003" }),
    get("", "invoices/SPOT-0001/pdf"),
    get("", "invoices/SPOT-0003/pdf"),
    get("", "invoices/SPOT-0001/credit_notes/x/pdf"),
    get("list_payment_methods", "payment_methods"),
    get("list_payment_methods", "payment_methods?limit=1", { limit: 1 }),
    get("list_payment_methods", "payment_methods?cursor=MTIz", {
      cursor: "MTIz",
    }),
    get("list_reports", "reports"),
    get("list_reports", "reports?limit=1", { limit: 1 }),
    get("list_reports", `reports?from=${won.from}&to=${won.to}`, won),
    get("list_reports", `reports?from=${never.from}&to=${never.to}`, never),
    get("list_reports", "reports?from=then", { from: "then" }),
    get("list_reports", "reports?cursor=!", { cursor: "!" }),
    get("get_report", `reports/${DAY}`, { day: DAY }),
    get("get_report", "reports/2026-11-17", { day: "2026-11-17" }),
    get("get_report", "reports/now", { day: "now" }),
    get("list_connections", "connections"),
    get("list_connections", "connections?limit=1", { limit: 1 }),
    get("list_connections", "connections?cursor=!", { cursor: "!" }),
    get("list_passkeys", "passkeys"),
    get("list_passkeys", "passkeys?limit=1", { limit: 1 }),
    get("list_passkeys", "passkeys?cursor=!", { cursor: "!" }),
  ];
}

/** Bids: placed, repeated, raised and refused. */
export function bids({ ada, bob }: TwinWorld): Step[] {
  const by = (changes: Twin["given"]): Step => ({
    as: "ada",
    ...bidTwin(ada, changes),
  });
  const keyless = change("place_bid", "POST bids", {
    body: bidTwin(ada).body as Record<string, unknown>,
  });
  return [
    by({}),
    by({}),
    by({ amount_cents: 1_001 }),
    by({ amount_cents: 1_500, idempotency_key: "raise" }),
    by({ amount_cents: 1_500, idempotency_key: "again" }),
    by({ idempotency_key: "lower" }),
    by({ amount_cents: 200_000, idempotency_key: "k2" }),
    by({ ad_id: bob.adId, idempotency_key: "k3" }),
    by({ day: "2026-12-24", idempotency_key: "k4" }),
    by({
      amount_cents: 2_000,
      payment_method_id: "pm_x",
      idempotency_key: "k5",
    }),
    by({ idempotency_key: "not visible" }),
    by({ idempotency_key: "" }),
    keyless,
    by({ day: "never", idempotency_key: "k6" }),
    by({ currency: "USD", idempotency_key: "k7" }),
    by({ amount_cents: "1", idempotency_key: "k8" }),
    by({ more: 1, idempotency_key: "k9" }),
    { ...by({ idempotency_key: "k10" }), body: [], given: { day: BID_DAY } },
    { as: "bob", ...bidTwin(bob, { amount_cents: 1_200 }) },
  ];
}

/** Creatives: made, changed, submitted and put away; `draft` is the first. */
export function creatives({ ada, bob }: TwinWorld, draft: string): Step[] {
  const create = (key: string, body: Record<string, unknown>): Step =>
    change("create_creative", "POST creatives", { body, key });
  const update = (
    ad_id: string,
    body: Record<string, unknown>,
    key?: string,
  ): Step =>
    change("update_creative", `PATCH creatives/${ad_id}`, {
      path: { ad_id },
      body,
      ...key !== undefined && { key },
    });
  const step = (ad_id: string, name: string, key?: string): Step =>
    change(`${name}_creative`, `POST creatives/${ad_id}/${name}`, {
      path: { ad_id },
      ...key !== undefined && { key },
    });
  return [
    create("c1", COPY),
    create("c1", COPY),
    create("c1", { ...COPY, headline: "Another one for winter" }),
    change("create_creative", "POST creatives", { body: COPY }),
    create("not visible", COPY),
    create("c2", { headline: "a", target_url: "http://x" }),
    create("c3", { ...COPY, headline: "a", target_url: "http://x" }),
    create("c4", { ...COPY, more: 1, headline: 5 }),
    update(draft, { headline: "Summer running shoes" }),
    update(draft, { headline: "Autumn running shoes" }, "u1"),
    update(draft, { headline: "Autumn running shoes" }, "u1"),
    update(draft, { headline: "Spring running shoes" }, "u1"),
    update(draft, {}),
    update(draft, { headline: "" }),
    update(draft, { more: 1 }),
    update(draft, { headline: "Spring running shoes" }, "not visible"),
    update(bob.adId, { headline: "Spring running shoes" }),
    update(ada.adId, { headline: "Spring running shoes" }, "u2"),
    update(ada.adId, { headline: "Spring running shoes" }, "u2"),
    step(draft, "submit", "s1"),
    step(draft, "submit", "s1"),
    step(draft, "submit", "s2"),
    step(draft, "submit"),
    step(bob.adId, "submit"),
    step(ada.adId, "submit"),
    step(draft, "submit", "not visible"),
    update(draft, { headline: "Spring running shoes" }),
    step(draft, "archive", "a1"),
    step(draft, "archive", "a1"),
    step(draft, "archive"),
    step(draft, "submit"),
    step(ada.adId, "archive", "a2"),
    step(bob.adId, "archive"),
  ];
}

/** What else changes something; `pm`, `other` and `grant` are ids. */
export function changes(
  { bob }: TwinWorld,
  ids: Readonly<Record<string, string>>,
): Step[] {
  const { pm = "", grant = "" } = ids;
  const me = (body: Record<string, unknown>, key?: string): Step =>
    change("update_account", "PATCH me", {
      body,
      ...key !== undefined && { key },
    });
  const byKey = (
    tool: string,
    rest: string,
    path: Record<string, string>,
  ): Step[] =>
    ["k1", "k1", "k2", "not visible", undefined].map((key) =>
      change(tool, rest, { path, ...key !== undefined && { key } })
    );
  const body = {
    company_name: "Ada & Söhne GmbH",
    address: { city: "Köln" },
    contact_preferences: { review_mails: false },
  };
  const pk = (passkey_id: string) =>
    byKey("remove_passkey", `DELETE passkeys/${passkey_id}`, { passkey_id });
  const card = (id: string, tool: string, method: string, end: string) =>
    byKey(tool, `${method} payment_methods/${id}${end}`, {
      payment_method_id: id,
    });
  return [
    me(body, "m1"),
    me(body, "m1"),
    me({ address: { city: "Bonn" } }, "m1"),
    me({ address: { city: "Bonn" } }),
    me({}),
    me({ address: {} }),
    me({ vat_id: "DE1" }),
    me({ company_name: "" }),
    me({ address: { line1: "a".repeat(300) } }),
    me({ company_name: 5 }, "m2"),
    me(body, "not visible"),
    ...card(pm, "set_default_payment_method", "POST", "/default"),
    ...card("pm_nope", "set_default_payment_method", "POST", "/default"),
    ...card(pm, "remove_payment_method", "DELETE", ""),
    ...card("pm_nope", "remove_payment_method", "DELETE", ""),
    ...byKey("open_billing_portal", "POST billing_portal", {}),
    ...pk("pk_phone"),
    ...pk("pk_nope"),
    ...byKey("revoke_connection", `DELETE connections/${grant}`, {
      grant_id: grant,
    }),
    ...byKey("revoke_connection", `DELETE connections/${bob.grant.id}`, {
      grant_id: bob.grant.id,
    }),
  ];
}
