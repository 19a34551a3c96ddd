import type { DrawPng } from "../../../domain/ports.ts";
import type { PublicRecords } from "../../../domain/spotlights/public_records.ts";
import { PAGE_ANSWERS } from "../../errors/page_surface.tsx";
import { textAnswer } from "../../http/text_answer.ts";
import {
  chargeNetworks,
  countVisits,
  type RateLimits,
} from "../../middleware/rate_limit.ts";
import { route, type RouteContext, type Surface } from "../../route_table.ts";
import { noSpotlightAnswer } from "../pages/page_routes.tsx";
import { OG_PATH } from "../ui/og_image.ts";
import { DayImages } from "./day_images.ts";

/** What the pictures of days are made with. */
export interface OgParts extends RateLimits {
  records: PublicRecords;
  drawPng: DrawPng;
}

const HEADERS = {
  "content-type": "image/png",
  "x-content-type-options": "nosniff",
};

/**
 * `/og/{day}.png`: the picture of a settled day, as long as the day has a page.
 * Whoever asks for one that has to be drawn first pays for it, as do the
 * networks around.
 */
export function ogSurface(parts: OgParts): Surface {
  const images = new DayImages(parts.drawPng);
  const routes = [
    route("GET", `${OG_PATH}/:file`, async (context) => {
      const record = recordOf(context, parts.records);
      if (record === undefined) return noSpotlightAnswer(context);
      if (!images.has(record)) {
        await chargeNetworks(context, parts, "picture");
      }
      return textAnswer(context, await images.of(record), HEADERS);
    }),
  ];
  return {
    prefix: OG_PATH,
    // Other sites may show it beside a link.
    free: true,
    enter: [countVisits(parts, routes)],
    routes,
    answers: PAGE_ANSWERS,
  };
}

function recordOf(context: RouteContext, { snapshot }: PublicRecords) {
  const [, day = ""] = /^(.*)\.png$/.exec(context.req.param("file") ?? "") ??
    [];
  return snapshot.byDay.get(day);
}
