import { assertEquals } from "@std/assert";
import { issueAccessToken } from "../../../../tools/demo/issue_access_token.ts";
import {
  cancel,
  newSession,
  replace,
} from "../../../support/checkout_calls.ts";
import {
  type AskOptions,
  type Buyer,
  type CheckoutWorld,
  openCheckoutWorld,
} from "../../../support/checkout_world.ts";

/** What is wrong with a request, from what is answered first to last. */
const ROWS = [
  "no token",
  "unknown token",
  "method",
  "bucket empty",
  "scope missing",
  "no version",
  "other version",
  "no key",
  "bad key",
  "not JSON",
  "another shape",
  "key of another request",
  "session unknown",
  "session canceled",
  "item unknown",
] as const;

type Row = typeof ROWS[number];

const ANSWERS: Readonly<Record<Row, string>> = {
  "no token": "401",
  "unknown token": "401 invalid_token",
  "method": "405 method_not_allowed",
  "bucket empty": "429 rate_limited",
  "scope missing": "403 agent.scope-missing",
  "no version": "400 missing_api_version",
  "other version": "400 unsupported_api_version",
  "no key": "400 idempotency_key_required",
  "bad key": "400 invalid_idempotency_key",
  "not JSON": "400 invalid_body",
  "another shape": "400 invalid",
  "key of another request": "409 idempotency_conflict",
  "session unknown": "404 checkout_session_not_found",
  "session canceled": "409 session_frozen",
  "item unknown": "400 invalid_item_id",
};

/** Rows that are wrong in a way that leaves no room for the other. */
const INSTEAD: Readonly<Partial<Record<Row, Row>>> = {
  "no token": "unknown token",
  "no version": "other version",
  "no key": "bad key",
  "not JSON": "another shape",
};

ROWS.forEach((row, at) => {
  Deno.test(`POST /checkout_sessions/{id} answers "${row}" before what follows`, async () => {
    const wrong = new Set(ROWS.slice(at));
    for (const [first, second] of Object.entries(INSTEAD)) {
      if (wrong.has(first as Row)) wrong.delete(second);
    }
    await using world = await openCheckoutWorld();
    assertEquals(await answerTo(world, wrong), ANSWERS[row]);
  });
});

async function answerTo(
  world: CheckoutWorld,
  wrong: ReadonlySet<Row>,
): Promise<string> {
  const ada = await world.buyer("ada");
  const id = await troubledSession(world, ada, wrong);
  const answer = await world.ask(
    `/checkout_sessions/${id}`,
    requestOf(ada, wrong),
  );
  const text = await answer.text();
  if (text === "") return String(answer.status);
  const body = JSON.parse(text);
  return `${answer.status} ${body.code ?? body.error}`;
}

/** Brings the state into all the trouble that is wanted. */
async function troubledSession(
  world: CheckoutWorld,
  ada: Buyer,
  wrong: ReadonlySet<Row>,
): Promise<string> {
  const { ask, services } = world;
  const session = await newSession(ask, ada);
  const unknown = `cs_${"f".repeat(32)}`;
  const id = wrong.has("session unknown") ? unknown : session.id;
  if (wrong.has("key of another request")) {
    await replace(ask, ada, session, "2026-11-17", "key-1");
    await services.store.transact(async (tx) => {
      const record = await tx.idempotency.find(
        ada.grant.id,
        `POST /checkout_sessions/${session.id}`,
        "key-1",
      );
      if (record === null) throw new Error("The key was used");
      const operation = `POST /checkout_sessions/${id}`;
      tx.idempotency.save({ ...record, operation });
    });
  }
  if (wrong.has("session canceled")) await cancel(ask, ada, session);
  if (wrong.has("scope missing")) {
    const less = { scopes: ["bids:read"] as const };
    const { text } = await issueAccessToken(services, ada.grant.id, less);
    ada.accessToken = text;
  }
  if (wrong.has("bucket empty")) {
    for (let n = 0; n < 120; n++) {
      await ask("/checkout_sessions/x", { as: ada });
    }
  }
  return id;
}

function requestOf(ada: Buyer, wrong: ReadonlySet<Row>): AskOptions {
  const version = wrong.has("no version") ? null : "2025-09-29";
  const isVersionWrong = wrong.has("no version") || wrong.has("other version");
  const day = wrong.has("item unknown") ? "2026-12-24" : "2026-11-18";
  const item = { id: `metrics:${day}` };
  const items = wrong.has("another shape") ? [item, item] : [item];
  return {
    method: wrong.has("method") ? "PUT" : "POST",
    as: wrong.has("no token") || wrong.has("unknown token") ? undefined : ada,
    headers: {
      ...isVersionWrong && { "api-version": version },
      ...wrong.has("unknown token") && { authorization: "Bearer x" },
      ...!wrong.has("no key") &&
        { "idempotency-key": wrong.has("bad key") ? "ä" : "key-1" },
    },
    raw: wrong.has("not JSON") ? "{" : JSON.stringify({ line_items: items }),
  };
}
