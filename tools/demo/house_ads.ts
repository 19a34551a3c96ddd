import type { HouseAd } from "../../domain/creatives/creative.ts";

/** The operator's own advertisements, in rotation on days nobody wins. */
export const DEMO_HOUSE_ADS: readonly HouseAd[] = [
  {
    id: "house_demo_1",
    headline: "One advertisement a day, and this could be yours",
    description:
      "Spotlight shows a single advertisement from one settlement to the " +
      "next. The highest sealed bid wins and pays what it bid.",
    advertiser: "Spotlight",
    targetUrl: "https://spotlight.example.com/how-it-works",
    active: true,
  },
  {
    id: "house_demo_2",
    headline: "No auction fever: bids here stay sealed",
    description:
      "Nobody sees what you bid, before or after. Decide once what a day is " +
      "worth to you, and pay only if you win it.",
    advertiser: "Spotlight",
    targetUrl: "https://spotlight.example.com/sealed-bids",
    active: true,
  },
  {
    id: "house_demo_3",
    headline: "Your assistant may bid, within limits you set",
    description:
      "Give an agent a mandate: a cap for each bid, a cap for each day and " +
      "an end date. Revoke it at any time with one click.",
    advertiser: "Spotlight",
    targetUrl: "https://spotlight.example.com/agents",
    active: true,
  },
  {
    id: "house_demo_4",
    headline: "Clicks counted honestly, robots left out",
    description:
      "Every report separates people from crawlers and previews. No cookie " +
      "follows anyone, and no address is ever stored.",
    advertiser: "Spotlight",
    targetUrl: "https://spotlight.example.com/metrics",
    active: true,
  },
];
