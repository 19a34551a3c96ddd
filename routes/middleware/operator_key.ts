/**
 * Who asks on the operator API, by the key.
 *
 * @module
 */
import { createHash, timingSafeEqual } from "node:crypto";
import type { ActBy } from "../../domain/audit/operator_act.ts";
import {
  findGoodKey,
  noteKeyUse,
} from "../../domain/operator_keys/check_key.ts";
import { refuse } from "../../domain/refusal.ts";
import type { RouteServices } from "../context.ts";
import type { Gate, RouteContext } from "../route_table.ts";
import { chargePublic } from "./rate_limit.ts";
import { useTurn } from "./use_turn.ts";

/** What the audit calls the first key of the configuration. */
const CONFIGURED_KEY = "OPERATOR_KEY";

const BEARER = /^bearer +(\S+) *$/i;

/**
 * A gate: only who holds a key of the operator's passes, and with one that may
 * only read nothing but reads. A key of the configuration may do all, and needs
 * no store to be known. The comparison takes as long for any key. A request
 * refused with 401 costs 1 of the public bucket (contract §13.1), which makes
 * wrong keys cost what other requests cost. It does not stop guessing, since the
 * right key passes with an empty bucket too; that a key has 256 bits does.
 */
export function requireOperatorKey(
  parts: RouteServices & { operatorKeys: readonly string[] },
): Gate {
  const configured = parts.operatorKeys.map(digest);
  return async function requireOperatorKey(context) {
    const header = context.req.raw.headers.get("authorization") ?? "";
    const key = BEARER.exec(header)?.[1] ?? "";
    const by = configuredBy(configured, key) ??
      await madeBy(context, parts, key);
    if (by === null) {
      await chargePublic(context, parts);
      refuse({ code: "operator_key_invalid" });
    }
    context.set("operator", by);
    return null;
  };
}

/** Every key is compared, so that the time tells nothing of which it was. */
function configuredBy(
  configured: readonly Uint8Array[],
  key: string,
): ActBy | null {
  const given = digest(key);
  const same = configured.map((each) => timingSafeEqual(each, given));
  const at = same.indexOf(true);
  if (at < 0) return null;
  const name = at === 0 ? CONFIGURED_KEY : `${CONFIGURED_KEY} ${at + 1}`;
  return { kind: "key", name };
}

async function madeBy(
  context: RouteContext,
  parts: RouteServices,
  key: string,
): Promise<ActBy | null> {
  const { services } = parts;
  const found = await findGoodKey(services, key);
  if (found === null) return null;
  if (found.scope === "read" && isAct(context)) {
    refuse({ code: "scope_missing", scopes: ["act"] });
  }
  const inTurn = useTurn(parts, "key", found.id);
  context.set("afterwards", () => noteKeyUse(services, found, inTurn));
  return { kind: "key", name: found.name, madeBy: found.accountId };
}

/** What changes something, and what takes the whole store away. */
function isAct({ req }: RouteContext): boolean {
  return req.method !== "GET" || req.path.endsWith("/backup");
}

/** Digests are of one length, whatever the keys are. */
function digest(key: string): Uint8Array {
  return createHash("sha256").update(key).digest();
}
