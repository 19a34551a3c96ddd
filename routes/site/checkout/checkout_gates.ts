/**
 * What a request to the checkout passes on its way, in this order: token,
 * method, bucket, scope, version; the key follows on operations that take one.
 *
 * @module
 */
import {
  ACP_VERSIONS,
  refuseCheckout,
} from "../../../domain/checkout/acp_error.ts";
import { parseIdempotencyKey } from "../../../domain/idempotency/key.ts";
import type { Services } from "../../../domain/ports.ts";
import { Refused } from "../../../domain/refusal.ts";
import { invariant } from "../../../domain/invariant.ts";
import type { Payer } from "../../middleware/account_costs.ts";
import { grantWith } from "../../middleware/bearer.ts";
import type { Gate, RouteContext } from "../../route_table.ts";

/** What an id of a request may look like to be repeated. */
const REPEATABLE = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/**
 * A gate: a POST's `Idempotency-Key`, and any `Request-Id`, are echoed,
 * whatever the answer is. What is malformed is not sent back.
 */
export const echo: Gate = function echo(context): null {
  const { method, headers } = context.req.raw;
  const echoed: Record<string, string> = {};
  for (const name of ["idempotency-key", "request-id"]) {
    if (name === "idempotency-key" && method !== "POST") continue;
    const value = headers.get(name);
    if (value !== null && REPEATABLE.test(value)) echoed[name] = value;
  }
  context.set("echoHeaders", echoed);
  return null;
};

/** A gate: begins to read whose agent asks, which what is charged goes by. */
export function readBuyer({ store }: Pick<Services, "store">): Gate {
  return function readBuyer(context) {
    if (context.req.method !== "POST") return null;
    const { accountId } = context.get("bearer").grant;
    const buyer = store.accounts.find(accountId);
    // Nobody waits for it where the request is refused.
    buyer.catch(() => {});
    context.set("buyer", buyer);
    return null;
  };
}

/** For whom something is asked of the checkout: it was read beside the grant. */
export function payerOf(
  context: RouteContext,
  { store }: Pick<Payer, "store">,
): Payer {
  const network = context.get("network");
  invariant(network !== undefined, "who shows a token asks from a network");
  const account = () => context.get("buyer");
  return { grant: context.get("bearer").grant, account, store, network };
}

/** A gate: every operation needs `account:read` (contract §6.1). */
export const needScope: Gate = function needScope(context): null {
  grantWith(context, "account:read");
  return null;
};

/** A gate: every operation needs the version (contract §6.1). */
export const needVersion: Gate = function needVersion(context): null {
  const version = context.req.raw.headers.get("api-version");
  if (version === null) refuseCheckout({ kind: "version_missing" });
  if (!ACP_VERSIONS.includes(version)) {
    refuseCheckout({ kind: "version_unsupported" });
  }
  return null;
};

/**
 * The key of a POST.
 *
 * @throws {Refused} `idempotency_key_required`, or `malformed`
 */
export function keyOf(context: RouteContext): string {
  const header = context.req.raw.headers.get("idempotency-key");
  try {
    return parseIdempotencyKey(header, { spaceInside: true });
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    const { refusal } = thrown;
    if (refusal.code !== "bad_request") throw thrown;
    return refuseCheckout({
      kind: "malformed",
      code: "invalid_idempotency_key",
      message: refusal.message,
      param: null,
    });
  }
}
