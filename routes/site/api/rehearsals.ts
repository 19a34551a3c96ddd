import type { Services } from "../../../domain/ports.ts";
import { practiceGrant } from "../../../domain/sandbox/practice_records.ts";
import { REHEARSAL_ID } from "../../../domain/sandbox/rehearsal.ts";
import {
  REHEARSALS_PATH,
  type RehearsalServices,
} from "../../../domain/sandbox/rehearse.ts";
import { NO_STORE } from "../../errors/answer_context.ts";
import {
  IN_SANDBOX,
  REHEARSAL_ANSWERS,
} from "../../errors/rehearsal_answers.ts";
import { quoted, refuseInput } from "../../http/query.ts";
import { respond } from "../../http/respond.ts";
import { publicGate } from "../../middleware/public_gate.ts";
import {
  chargeNetworksToo,
  type RateLimits,
} from "../../middleware/rate_limit.ts";
import {
  type Change,
  placeOf,
  type Reading,
  routePathOf,
} from "../../operations/operation.ts";
import { overHttp, type SendJson } from "../../operations/over_http.ts";
import { REHEARSAL_OPERATIONS } from "../../operations/rehearsal_operations.ts";
import { type Route, route, type Surface } from "../../route_table.ts";
import { publicHeaders } from "./public_answer.ts";

/** What rehearsals are made of. */
export interface RehearsalParts extends RateLimits {
  services: RehearsalServices;
}

/**
 * The agent API once more, to practise with: the same operations below an
 * address that stands in the place of `{auth_url}`, without a token, over
 * made-up records (contract §3.8).
 */
export function rehearsalSurface(parts: RehearsalParts): Surface {
  return {
    prefix: REHEARSALS_PATH,
    openToScripts: true,
    enter: [publicGate(parts, parts.services.settings)],
    routes: REHEARSAL_OPERATIONS.map((each) => rehearsalRoute(parts, each)),
    has: OPERATIONS_TOLD,
    answers: REHEARSAL_ANSWERS,
  };
}

/** What can be rehearsed, for who asks for something else. */
const OPERATIONS_TOLD = "below the name of your rehearsal there are only " +
  REHEARSAL_OPERATIONS.map((each) => Object.values(placeOf(each)).join(" "))
    .join(", ");

function rehearsalRoute(
  parts: RehearsalParts,
  operation: Reading | Change,
): Route {
  // A rehearsed operation is given the services of its rehearsal.
  const services = parts.services as Services;
  const handle = overHttp(services, operation, sendMarked);
  const { method } = placeOf(operation);
  const path = `${REHEARSALS_PATH}/:rehearsal${routePathOf(operation)}`;
  return route(method, path, async (context) => {
    const rehearsal = (context.req.param() as { rehearsal: string }).rehearsal;
    const grant = practiceGrant(parseRehearsal(rehearsal), null);
    if (operation.kind === "change") {
      await chargeNetworksToo(context, parts, "sandbox_job");
    }
    return await handle(grant, context);
  });
}

/** Every answer is an object, and begins with the mark. */
const sendMarked: SendJson = function sendMarked(context, text, init = {}) {
  const marked = `${MARK}${text.slice(1)}`;
  return respond(marked, {
    status: init.status ?? 200,
    headers: {
      "content-type": "application/json",
      ...NO_STORE,
      ...publicHeaders(context),
      ...init.headers,
    },
  });
};

const MARK = `${JSON.stringify(IN_SANDBOX).slice(0, -1)},`;

/** What the id of a rehearsal has to be, as the end of a sentence. */
export const REHEARSAL_WANTED =
  "8 to 64 letters, digits, underscores and hyphens";

function parseRehearsal(text: string): string {
  if (REHEARSAL_ID.test(text)) return text;
  refuseInput(
    `Cannot rehearse in ${quoted(text)}: the name of a rehearsal is ` +
      REHEARSAL_WANTED,
  );
}
