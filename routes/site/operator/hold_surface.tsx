import { operatorOf } from "../../../domain/accounts/require_operator.ts";
import { actAs } from "../../../domain/audit/act_as.ts";
import {
  releaseStore,
  reviewHold,
} from "../../../domain/release/release_store.ts";
import { seeOther } from "../../middleware/session.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import { operatorPage, type PageRequest } from "../pages/advertiser_page.ts";
import { HoldPage } from "./hold_page.tsx";
import { HOLD_PATH } from "./paths.ts";

/** Where a form goes on that was kept through another sign-in: nothing is done. */
const AGAIN_PATH = `${HOLD_PATH}/again`;

/** The operator's page about a restored store. */
export function holdSurface(parts: AdvertiserParts): Surface {
  return operatorPage(parts, {
    path: HOLD_PATH,
    get: { [HOLD_PATH]: showHold },
    post: { [HOLD_PATH]: release, [AGAIN_PATH]: askAgain },
    freshChanges: { fields: [], lists: ["acknowledge"], action: AGAIN_PATH },
  });
}

async function showHold({ services, show }: PageRequest): Promise<Response> {
  const { hold, items } = await reviewHold(services);
  return show(<HoldPage hold={hold} items={items} ticked={[]} left={0} />);
}

/** What was ticked before another sign-in, on the page that asks once more. */
async function askAgain(
  { services, form, show }: PageRequest,
): Promise<Response> {
  const ticked = (await form(["acknowledge"])).list("acknowledge");
  const { hold, items } = await reviewHold(services);
  return show(<HoldPage hold={hold} items={items} ticked={ticked} left={0} />);
}

async function release(
  { services, account, form, show }: PageRequest,
): Promise<Response> {
  const acknowledged = (await form(["acknowledge"])).list("acknowledge");
  const by = operatorOf(account, services.settings);
  const { hold, items, left } = await actAs(
    services,
    { by, act: "store.release", subject: null },
    (acting) => releaseStore(acting, { acknowledged }),
  );
  if (left.length === 0) return seeOther(HOLD_PATH);
  const page = (
    <HoldPage
      hold={hold}
      items={items}
      ticked={acknowledged}
      left={left.length}
    />
  );
  return show(page, { status: 409 });
}
