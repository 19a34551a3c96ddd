import { z } from "zod";
import { actAs } from "../../../domain/audit/act_as.ts";
import { makeHouseAd } from "../../../domain/creatives/change_house_ads.ts";
import type { HouseAd } from "../../../domain/creatives/creative.ts";
import {
  HOUSE_ADS_READ_MAX,
  inOrder,
} from "../../../domain/creatives/house_rotation.ts";
import { DESCRIPTION, HEADLINE } from "../../../domain/creatives/read_copy.ts";
import type { Services } from "../../../domain/ports.ts";
import { judgedText } from "../../http/bounded_text.ts";
import type { Route } from "../../route_table.ts";
import { HOUSE_AD_ACTS } from "./house_ad_acts.ts";
import { operation } from "./operation.ts";
import type { OperatorParts } from "./operator_parts.ts";

/** What it may say the verb decides. */
const copy = z.strictObject({
  headline: judgedText(HEADLINE.max),
  description: judgedText(DESCRIPTION.max),
});

/** The operator's hand on house ads: read, make, and what their page does. */
export function houseAdRoutes({ services }: OperatorParts): Route[] {
  return [
    operation("GET", "/house_ads", () => readAll(services)),
    operation("POST", "/house_ads", async ({ body, by }) => {
      const asked = await body(copy, "Cannot add the house ad");
      const made = await actAs(
        services,
        { by, act: "house_ad.make", subject: null },
        (acting) => makeHouseAd(acting, asked),
      );
      return toRecord(made);
    }, 201),
    ...Object.entries(HOUSE_AD_ACTS).map(([name, { act, run }]) =>
      operation("POST", `/house_ads/:id/${name}`, async ({ param, by }) => {
        const id = param("id");
        await actAs(
          services,
          { by, act, subject: id },
          (acting) => run(acting, id),
        );
        return await readAll(services);
      })
    ),
  ];
}

/** All of them in the order of their turns. */
async function readAll(
  { store }: Pick<Services, "store">,
): Promise<{ items: Record<string, unknown>[] }> {
  const [listed, rotation] = await Promise.all([
    store.listHouseAds({ limit: HOUSE_ADS_READ_MAX }),
    store.houseRotation.find(),
  ]);
  return { items: inOrder(listed, rotation).map(toRecord) };
}

function toRecord(ad: HouseAd): Record<string, unknown> {
  const { id, headline, description, active } = ad;
  return { house_ad: id, headline, description, rests: !active };
}
