/**
 * The picture that chats and networks show beside a link to a day: 1200 × 630,
 * as SVG. Decision 0020 says what it is drawn with.
 *
 * @module
 */
import { LAMP } from "../../pages/style.ts";
import { xml } from "../../http/xml.ts";
import { dayName } from "../ui/day_time.tsx";
import { OG_HEIGHT, OG_WIDTH } from "../ui/og_image.ts";
import { type Advertisement, LABELS, PAYERS } from "../ui/stage.tsx";
import { inOneLine, isDrawable, linesOf } from "./drawn_text.ts";

const MARGIN = 80;
const WIDTH = OG_WIDTH - 2 * MARGIN;
const PAYER_SIZE = 30;
const FACE = "Familjen Grotesk";
const INK = "#fffdf8";
const QUIET = "#b9ae9b";
const AMBER = "#ffb43a";

/** Sizes of the headline, and how many lines of each there is room for. */
const SIZES: readonly [size: number, lines: number][] = [
  [92, 3],
  [76, 4],
  [62, 5],
];

/** What is drawn of an advertisement. */
export type Drawn = Pick<
  Advertisement,
  "day" | "headline" | "advertiser" | "contentType"
>;

/**
 * A day's picture. Text in letters that the faces lack would be drawn as boxes,
 * so that a day with such has its date and our name alone.
 */
export function ogSvg(ad: Drawn): string {
  const { headline, advertiser } = ad;
  const body = [headline, advertiser].every(isDrawable)
    ? advertisementOf(ad)
    : dateOf(ad);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${OG_WIDTH}" ` +
    `height="${OG_HEIGHT}" viewBox="0 0 ${OG_WIDTH} ${OG_HEIGHT}">` +
    `<rect width="${OG_WIDTH}" height="${OG_HEIGHT}" fill="#14110c"/>` +
    `<path d="M600 -120L1180 630H20z" fill="#2b2213"/>` +
    `<path d="M600 -120L950 630H250z" fill="#3a2d17"/>` +
    `${body}</svg>`;
}

function advertisementOf(ad: Drawn): string {
  const [size, lines] = fitted(ad.headline.normalize("NFC"));
  const step = size * 1.12;
  const first = OG_HEIGHT / 2 - (lines.length - 1) * step / 2 + size * 0.34;
  return [
    wordmark(MARGIN, 64, 44),
    text(LABELS[ad.contentType], 28, { y: 98, fill: AMBER, anchor: "end" }),
    ...lines.map((line, nth) => text(line, size, { y: first + nth * step })),
    text(
      inOneLine(PAYERS[ad.contentType] + ad.advertiser, WIDTH / PAYER_SIZE),
      PAYER_SIZE,
      { y: OG_HEIGHT - 64, fill: QUIET },
    ),
  ].join("");
}

/** The largest size in which the headline has room. */
function fitted(headline: string): [size: number, lines: string[]] {
  for (const [size, most] of SIZES) {
    const lines = linesOf(headline, WIDTH / size);
    if (lines.length <= most) return [size, lines];
  }
  const [size, most] = SIZES.at(-1) ?? [0, 0];
  return [size, linesOf(headline, WIDTH / size).slice(0, most)];
}

function dateOf({ day, contentType }: Drawn): string {
  return [
    wordmark(MARGIN, 64, 44),
    text(LABELS[contentType], 28, { y: 98, fill: AMBER, anchor: "end" }),
    text("The Spotlight of", 44, { y: 300, fill: QUIET }),
    text(dayName(day), 92, { y: 400 }),
  ].join("");
}

/** The lamp and our name. */
function wordmark(x: number, y: number, size: number): string {
  return `<svg x="${x}" y="${y}" width="${size}" height="${size}" ` +
    `viewBox="0 0 32 32">${LAMP}</svg>` +
    text("Spotlight", 36, { x: x + size + 14, y: y + 34 });
}

function text(
  words: string,
  size: number,
  { x, y, fill = INK, anchor = "start" }: {
    x?: number;
    y: number;
    fill?: string;
    anchor?: "start" | "end";
  },
): string {
  const at = x ?? (anchor === "end" ? OG_WIDTH - MARGIN : MARGIN);
  return `<text x="${at}" y="${y.toFixed(1)}" font-family="${FACE}" ` +
    `font-size="${size}" fill="${fill}" text-anchor="${anchor}">` +
    `${xml(words)}</text>`;
}
