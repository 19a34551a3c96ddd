import { requireOperator } from "../../../domain/accounts/require_operator.ts";
import {
  releaseStore,
  reviewHold,
} from "../../../domain/release/release_store.ts";
import { seeOther, signedInOf } from "../../middleware/session.ts";
import { route, type RouteContext, type Surface } from "../../route_table.ts";
import { advertiserPage } from "../pages/advertiser_page.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { readForm } from "../../http/form_body.ts";
import { privateAnswer } from "../../pages/page_answer.ts";
import { HOLD_PATH, HoldPage } from "./hold_page.tsx";

/** The operator's page about a restored store; there is none for others. */
export function holdSurface(parts: AdvertiserParts): Surface {
  return advertiserPage(parts, {
    path: HOLD_PATH,
    routes: [
      route("GET", HOLD_PATH, (context) => show(context, parts)),
      route("POST", HOLD_PATH, (context) => release(context, parts)),
    ],
  });
}

async function show(
  context: RouteContext,
  { services }: AdvertiserParts,
): Promise<Response> {
  requireOperator(signedInOf(context).account, services.settings);
  const { hold, items } = await reviewHold(services);
  const page = <HoldPage hold={hold} items={items} ticked={[]} left={0} />;
  return privateAnswer(context, page);
}

async function release(
  context: RouteContext,
  { services }: AdvertiserParts,
): Promise<Response> {
  requireOperator(signedInOf(context).account, services.settings);
  const form = await readForm(context, ["acknowledge"]);
  const acknowledged = form.list("acknowledge");
  const { hold, items, left } = await releaseStore(services, { acknowledged });
  if (left.length === 0) return seeOther(HOLD_PATH);
  const page = (
    <HoldPage
      hold={hold}
      items={items}
      ticked={acknowledged}
      left={left.length}
    />
  );
  return privateAnswer(context, page, { status: 409 });
}
