import type { ActName } from "../../../domain/audit/operator_act.ts";
import {
  moveHouseAd,
  removeHouseAd,
  restHouseAd,
} from "../../../domain/creatives/change_house_ads.ts";
import type { Services } from "../../../domain/ports.ts";

/** Something an operator does about one house ad, on its page or by the API. */
export interface HouseAdAct {
  title: string;
  effect: string;
  done: string;
  kind: "main" | "danger";
  act: ActName;
  run(services: Services, id: string): Promise<unknown>;
}

/** Every act by the last part of its addresses. */
export const HOUSE_AD_ACTS: Readonly<Record<string, HouseAdAct>> = {
  earlier: {
    title: "Let it take its turn earlier",
    effect: "It changes places with the one before.",
    done: "It takes its turn earlier.",
    kind: "main",
    act: "house_ad.move",
    run: (services, id) => moveHouseAd(services, { id, to: "earlier" }),
  },
  later: {
    title: "Let it take its turn later",
    effect: "It changes places with the one behind.",
    done: "It takes its turn later.",
    kind: "main",
    act: "house_ad.move",
    run: (services, id) => moveHouseAd(services, { id, to: "later" }),
  },
  rest: {
    title: "Let it rest",
    effect: "It is shown on no further day until it takes turns again. A day " +
      "that shows it keeps it.",
    done: "It rests.",
    kind: "main",
    act: "house_ad.rest",
    run: (services, id) => restHouseAd(services, { id, rests: true }),
  },
  wake: {
    title: "Let it take turns",
    effect: "It is shown again on a day that nobody wins, when its turn comes.",
    done: "It takes turns again.",
    kind: "main",
    act: "house_ad.wake",
    run: (services, id) => restHouseAd(services, { id, rests: false }),
  },
  remove: {
    title: "Remove it",
    effect: "It is gone from this page for good. Days that showed it keep it.",
    done: "It was removed.",
    kind: "danger",
    act: "house_ad.remove",
    run: (services, id) => removeHouseAd(services, { id }),
  },
};
