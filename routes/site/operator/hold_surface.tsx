import { operatorOf } from "../../../domain/accounts/require_operator.ts";
import { orderRelease } from "../../../domain/release/order_release.ts";
import { reviewHold } from "../../../domain/release/release_store.ts";
import { FORM_MAX_BYTES } from "../../http/form_body.ts";
import { seeOther } from "../../middleware/session.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { operatorPage, type PageRequest } from "../pages/advertiser_page.ts";
import { HoldPage, type TypedRelease } from "./hold_page.tsx";
import { HOLD_PATH } from "./paths.ts";

/** Where a form goes on that was kept through another sign-in: nothing is done. */
const AGAIN_PATH = `${HOLD_PATH}/again`;

/** The id of an account; no other text reaches a key. */
const ACCOUNT_ID = /^acc_\w{1,60}$/;

/** The operator's page about a restored store. */
export function holdSurface(parts: AdvertiserParts): Surface {
  return operatorPage(parts, {
    path: HOLD_PATH,
    get: { [HOLD_PATH]: (request) => showHold(request, {}) },
    waits: [HOLD_PATH],
    post: { [HOLD_PATH]: release, [AGAIN_PATH]: askAgain },
    freshChanges: {
      fields: ["erased"],
      lists: ["acknowledge"],
      action: AGAIN_PATH,
    },
  });
}

async function showHold(
  { services, show }: PageRequest,
  said: { typed?: TypedRelease; error?: string },
  status = 200,
): Promise<Response> {
  const { hold, items } = await reviewHold(services);
  return show(<HoldPage {...{ hold, items, ...said }} />, { status });
}

/** What was typed before another sign-in, on the page that asks once more. */
async function askAgain(request: PageRequest): Promise<Response> {
  return await showHold(request, { typed: await typedIn(request) });
}

async function typedIn({ form }: PageRequest): Promise<TypedRelease> {
  const sent = await form(["acknowledge"]);
  return {
    ticked: sent.list("acknowledge"),
    // As much as the form itself may have: an id that is cut off is none.
    erased: sent.text("erased", FORM_MAX_BYTES),
  };
}

async function release(request: PageRequest): Promise<Response> {
  const { services, account, show } = request;
  const typed = await typedIn(request);
  const erased = typed.erased.split(/[\s,]+/).filter((id) => id !== "");
  const strange = erased.find((id) => !ACCOUNT_ID.test(id));
  if (strange !== undefined) {
    const error =
      `Nothing was released: “${strange.slice(0, 80)}” is no id of ` +
      "an account. One begins with acc_.";
    return await showHold(request, { typed, error }, 400);
  }
  const by = operatorOf(account, services.settings);
  const asked = { by, acknowledged: typed.ticked, erased };
  const { hold, items, left } = await orderRelease(services, asked);
  if (left.length === 0) return seeOther(HOLD_PATH);
  const page = <HoldPage {...{ hold, items, typed }} left={left.length} />;
  return show(page, { status: 409 });
}
