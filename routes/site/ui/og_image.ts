import type { PageImage } from "../../pages/layout.tsx";
import { type Advertisement, LABELS } from "./stage.tsx";

/** How wide the picture of a day is. */
export const OG_WIDTH = 1200;
/** How high it is: networks show pictures of this shape whole. */
export const OG_HEIGHT = 630;

/** Where the pictures of days are. */
export const OG_PATH = "/og";

/** What stands for a day beside a link to it. */
export function ogImageOf(
  baseUrl: string,
  { day, contentType, headline }: Pick<
    Advertisement,
    "day" | "contentType" | "headline"
  >,
): PageImage {
  return {
    url: `${baseUrl}${OG_PATH}/${day}.png`,
    alt: `${LABELS[contentType]}: ${headline}`,
    width: OG_WIDTH,
    height: OG_HEIGHT,
  };
}
