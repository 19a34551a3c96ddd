import { actAs } from "../../../domain/audit/act_as.ts";
import { isoOrNull, isoTime } from "../../../domain/day.ts";
import { endKey } from "../../../domain/operator_keys/end_key.ts";
import {
  KEYS_KEPT_MAX,
  type OperatorKey,
} from "../../../domain/operator_keys/operator_key.ts";
import type { Route } from "../../route_table.ts";
import { operation } from "./operation.ts";
import type { OperatorParts } from "./operator_parts.ts";

/**
 * Keys as programs may see and end them. They are made at the desk alone: one
 * that was stolen must not make another, which would be good for longer.
 */
export function keyRoutes({ services }: OperatorParts): Route[] {
  const { store } = services;
  return [
    operation("GET", "/keys", async () => {
      const keys = await store.listOperatorKeys({ limit: KEYS_KEPT_MAX });
      return { items: keys.map(toRecord) };
    }),
    operation("POST", "/keys/:id/end", async ({ param, by }) => {
      const keyId = param("id");
      const ended = await actAs(
        services,
        { by, act: "key.end", subject: keyId },
        (acting) => endKey(acting, { keyId }),
      );
      return toRecord(ended);
    }),
  ];
}

function toRecord(key: OperatorKey): Record<string, unknown> {
  const { id, name, scope, createdAtMs, goodUntilMs } = key;
  return {
    key: id,
    name,
    scope,
    made_at: isoTime(createdAtMs),
    good_until: isoTime(goodUntilMs),
    ended_at: isoOrNull(key.endedAtMs),
    last_used_at: isoOrNull(key.lastUsedAtMs),
  };
}
