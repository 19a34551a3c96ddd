import {
  type HouseCopy,
  makeHouseAd,
  readHouseCopy,
} from "../../../domain/creatives/change_house_ads.ts";
import {
  HOUSE_ADS_READ_MAX,
  inOrder,
  inTurn,
} from "../../../domain/creatives/house_rotation.ts";
import { DESCRIPTION, HEADLINE } from "../../../domain/creatives/read_copy.ts";
import { refuse } from "../../../domain/refusal.ts";
import type { Surface } from "../../route_table.ts";
import type { AdvertiserParts } from "../advertiser_parts.ts";
import {
  operatorPage,
  type PageHandler,
  type PageRequest,
} from "../pages/advertiser_page.ts";
import { doneNote } from "../pages/done_note.ts";
import { refusalOf } from "../pages/refusal_of.ts";
import { isFaulty, textFaults } from "../pages/text_faults.ts";
import { askThenAct, SENT_BEFORE } from "./desk_act.tsx";
import { HOUSE_AD_ACTS, type HouseAdAct } from "./house_ad_acts.ts";
import {
  HouseAdsPage,
  type HouseErrors,
  HousePreview,
} from "./house_ads_page.tsx";
import { HOUSE_ADS_PATH, houseAdPath } from "./paths.ts";

/** Longest text of a field that is shown again. */
const SHOWN_MAX = 2_000;

const NOTES: Readonly<Record<string, string>> = {
  ...SENT_BEFORE,
  make: "It was added, and takes the last turn.",
  ...Object.fromEntries(
    Object.entries(HOUSE_AD_ACTS).map(([name, { done }]) => [name, done]),
  ),
};

const NOTHING_TYPED: HouseCopy = { headline: "", description: "" };

const BOUNDS = { headline: HEADLINE, description: DESCRIPTION };

/** The operator's page about house ads. */
export function houseAdsSurface(parts: AdvertiserParts): Surface {
  const acts = Object.entries(HOUSE_AD_ACTS).map((
    [name, act],
  ): [string, PageHandler] => [
    `${HOUSE_ADS_PATH}/:id/${name}`,
    (request) => change(request, name, act),
  ]);
  return operatorPage(parts, {
    path: HOUSE_ADS_PATH,
    get: { [HOUSE_ADS_PATH]: (request) => showAll(request, {}) },
    post: { [`${HOUSE_ADS_PATH}/make`]: make, ...Object.fromEntries(acts) },
    passkeyChanges: { fields: ["headline", "description"] },
  });
}

async function showAll(
  request: PageRequest,
  { typed = NOTHING_TYPED, errors = {}, error = null }: {
    typed?: HouseCopy;
    errors?: HouseErrors;
    error?: string | null;
  },
  status = 200,
): Promise<Response> {
  const { services: { store }, show } = request;
  const [listed, rotation] = await Promise.all([
    store.listHouseAds({ limit: HOUSE_ADS_READ_MAX }),
    store.houseRotation.find(),
  ]);
  const props = {
    ads: inOrder(listed, rotation),
    lastId: rotation?.lastId ?? null,
    nextId: inTurn(listed, rotation)[0]?.id ?? null,
    note: error === null ? doneNote(request, NOTES) : null,
  };
  const shown = { ...props, typed, errors, error };
  return show(<HouseAdsPage {...shown} />, { status });
}

/** Shows it as readers will see it, and adds it once that was asked. */
async function make(request: PageRequest): Promise<Response> {
  const form = await request.form();
  const typed = {
    headline: form.text("headline", SHOWN_MAX),
    description: form.text("description", SHOWN_MAX),
  };
  const errors = textFaults(typed, BOUNDS);
  if (isFaulty(errors)) return await showAll(request, { typed, errors }, 400);
  const copy = readHouseCopy(typed);
  try {
    return await askThenAct(request, {
      form,
      ask: () => ({
        title: "Add the house ad",
        preview: <HousePreview copy={copy} heading="h2" />,
        effect:
          "Readers see it like this on a day that nobody wins, once its " +
          "turn comes.",
        kind: "main",
        action: `${HOUSE_ADS_PATH}/make`,
        fields: copy,
        leave: HOUSE_ADS_PATH,
      }),
      order: { act: "house_ad.make", subject: null },
      act: (acting) => makeHouseAd(acting, copy),
      next: { path: HOUSE_ADS_PATH, done: "make" },
    });
  } catch (thrown) {
    const { message } = refusalOf(thrown, "invalid_input");
    return await showAll(request, { typed, error: `${message}.` }, 400);
  }
}

async function change(
  request: PageRequest,
  name: string,
  { title, effect, kind, act, run }: HouseAdAct,
): Promise<Response> {
  const { services: { store }, param } = request;
  const id = param("id");
  const form = await request.form();
  try {
    return await askThenAct(request, {
      form,
      ask: async () => {
        const ad = await store.houseAds.find(id);
        if (ad === null) {
          refuse({ code: "not_found", message: "Cannot find the house ad" });
        }
        return {
          title,
          preview: <HousePreview copy={ad} heading="h2" />,
          effect,
          kind,
          action: houseAdPath(id, name),
          fields: {},
          leave: HOUSE_ADS_PATH,
        };
      },
      order: { act, subject: id },
      act: (acting) => run(acting, id),
      next: { path: HOUSE_ADS_PATH, done: name },
    });
  } catch (thrown) {
    const { message } = refusalOf(thrown, "invalid_input");
    return await showAll(request, { error: `${message}.` }, 409);
  }
}
