/**
 * Four thousand days: what the demo shows, each once, among advertisements that
 * answer none of the judged queries and share many of their ordinary words.
 *
 * @module
 */
import type { Spotlight } from "../../../../domain/spotlights/spotlight.ts";
import { type Copy, DEMO_COPY, spotlightsOf } from "./demo_corpus.ts";

const DAYS = 4_000;

const PRODUCTS = [
  "mattress",
  "guitar strings",
  "accounting software",
  "garden hose",
  "piano tuning",
  "wool blanket",
  "espresso grinder",
  "kitchen knife",
  "language tutor",
  "window cleaning",
  "dog leash",
  "birdhouse",
  "umbrella",
  "violin case",
  "rain barrel",
  "herb seeds",
  "chess clock",
  "wall paint",
  "desk chair",
  "backpack",
  "hammock",
  "wedding photographs",
  "honey",
  "alpine cheese",
  "sparkling water",
  "green tea",
  "chocolate bar",
  "mustard",
  "vineyard visit",
  "beeswax candle",
  "linen shirt",
  "raincoat",
  "silk scarf",
  "leather belt",
  "reading glasses",
  "hearing check",
  "physiotherapy",
  "yoga mat",
  "rowing machine",
  "climbing rope",
  "tent",
  "thermos flask",
  "pocket knife",
  "tape measure",
  "cordless drill",
  "roof tiles",
  "solar panel",
  "door lock",
  "smoke alarm",
  "piggy bank",
  "tax advice",
  "parcel locker",
  "translation office",
  "podcast studio",
  "web hosting",
  "fibre connection",
  "hair dryer",
  "bathroom mirror",
  "fence post",
  "flower bouquet",
].map((product) => product.split(" "));
const OPENINGS = [
  "A {p} that outlives its warranty",
  "Finally, a {p} without fuss",
  "The {p} our neighbours borrow most",
  "Your next {p}, chosen in minutes",
  "One {p}, three generations",
  "Why {c} trusts this {p}",
  "The quiet {p} from {c}",
  "Rent a {p} before you buy it",
  "Made in {c}: the honest {p}",
  "A better {p} for small flats",
  "The {p} that travels with you",
  "Ask for the {p} with the blue label",
];
const BENEFITS = [
  "Delivered on Tuesday, returned for free until the end of the month.",
  "Two years in the making and tested by the people next door.",
  "No subscription, no small print and a person who answers the telephone.",
  "Order before noon and it leaves {c} the same afternoon.",
  "We count every screw, so that you need not.",
  "Half the weight of the last one and twice as easy to clean.",
  "Come and try it in our shop behind the station in {c}.",
  "Every part can be replaced, and every part has a number.",
  "Voted the favourite of {c} by readers of a newspaper.",
  "It fits into any drawer and never asks for an update.",
  "Our advisers speak five languages and admit when they do not know.",
  "The first hundred customers get a second one to give away.",
  "Certified, insured and rather good looking.",
  "Keep the box: it turns into a shelf.",
];
const CITIES = [
  "Aarhus",
  "Antwerp",
  "Basel",
  "Bergen",
  "Bilbao",
  "Bologna",
  "Brno",
  "Cork",
  "Debrecen",
  "Dijon",
  "Ghent",
  "Graz",
  "Györ",
  "Jena",
  "Kaunas",
  "Kraków",
  "Liège",
  "Linz",
  "Malmö",
  "Maribor",
  "Murcia",
  "Namur",
  "Odense",
  "Oulu",
  "Padua",
  "Plovdiv",
  "Porto",
  "Reims",
  "Rostock",
  "Split",
  "Tartu",
  "Trento",
  "Turku",
  "Uppsala",
  "Varna",
  "Vigo",
  "Zadar",
];
const HOUSES = [
  "Werkstatt",
  "& Sons",
  "Collective",
  "Brothers",
  "Manufaktur",
  "Supply",
  "Trading",
  "Studio",
  "Cooperative",
  "Works",
];

/** The same four thousand Spotlights every time. */
export function largeSpotlights(): Spotlight[] {
  const copies = Array.from({ length: DAYS }, (_, at) => fillerAt(at));
  const gap = Math.floor(DAYS / DEMO_COPY.length);
  DEMO_COPY.forEach((copy, nth) => copies[nth * gap + 7] = copy);
  return spotlightsOf(copies);
}

/** Lists of lengths without a common divisor meet in ever new ways. */
function fillerAt(at: number): Copy {
  const product = pick(PRODUCTS, at).join(" ");
  const city = pick(CITIES, at * 7);
  const fill = (text: string) =>
    text.replaceAll("{p}", product).replaceAll("{c}", city);
  return {
    name: `filler-${at}`,
    headline: fill(pick(OPENINGS, at * 5 + Math.floor(at / 60))),
    description: fill(
      `${pick(BENEFITS, at * 3)} ${pick(BENEFITS, at * 3 + 5 + at % 7)}`,
    ),
    advertiser: `${city} ${pick(PRODUCTS, at * 11)[0]} ${pick(HOUSES, at)}`,
  };
}

function pick<T>(list: readonly T[], at: number): T {
  const one = list[at % list.length];
  if (one === undefined) throw new TypeError("Cannot pick from an empty list");
  return one;
}
