import type { HouseAd } from "../../domain/creatives/creative.ts";

/** The operator's own advertisements, in rotation on days nobody wins. */
export function demoHouseAds(baseUrl: string): HouseAd[] {
  const targetUrl = `${baseUrl}/advertise`;
  return DEMO_HOUSE_ADS.map((ad) => ({ ...ad, targetUrl }));
}

/** The same without where they lead: to our own page for advertisers. */
export const DEMO_HOUSE_ADS: readonly Omit<HouseAd, "targetUrl">[] = [
  {
    id: "house_demo_1",
    headline: "One advertisement a day, and this could be yours",
    description:
      "Spotlight shows a single advertisement from one settlement to the " +
      "next. The highest sealed bid wins and pays what it bid.",
    advertiser: "Spotlight",
    active: true,
  },
  {
    id: "house_demo_2",
    headline: "No auction fever: bids here stay sealed",
    description:
      "Nobody sees what you bid, before or after. Decide once what a day is " +
      "worth to you, and pay only if you win it.",
    advertiser: "Spotlight",
    active: true,
  },
  {
    id: "house_demo_3",
    headline: "Your assistant may bid, within limits you set",
    description:
      "Give an agent a mandate: a cap for each bid, a cap for each day and " +
      "an end date. Revoke it at any time with one click.",
    advertiser: "Spotlight",
    active: true,
  },
  {
    id: "house_demo_4",
    headline: "Clicks counted honestly, robots left out",
    description:
      "Every report separates people from crawlers and previews. No cookie " +
      "follows anyone, and no address is ever stored.",
    advertiser: "Spotlight",
    active: true,
  },
];
