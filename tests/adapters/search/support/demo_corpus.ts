import { addDays } from "../../../../domain/day.ts";
import { DEMO_ADVERTISERS } from "../../../../tools/demo/accounts.ts";
import type { DemoAdvertiser } from "../../../../tools/demo/advertiser.ts";
import { DEMO_HOUSE_ADS } from "../../../../tools/demo/house_ads.ts";
import { SEARCHED_PATHS } from "../../../../domain/retrieval/docs_pages.ts";
import type { PublishedDocuments } from "../../../../domain/retrieval/docs_pages.ts";
import type { Spotlight } from "../../../../domain/spotlights/spotlight.ts";
import { readDocuments } from "../../../../app/documents.ts";
import { DOCUMENT_FACTS } from "../../../support/documents.ts";
import { spotlight, TEST_TODAY } from "../../../support/public_spotlights.ts";

/** The text of an advertisement, and the name that judgements know it by. */
export interface Copy {
  readonly name: string;
  readonly advertiser: string;
  readonly headline: string;
  readonly description: string;
}

/** What the demo's advertisers and its operator show. */
export const DEMO_COPY: readonly Copy[] = [
  ...DEMO_ADVERTISERS.flatMap(copyOf),
  ...DEMO_HOUSE_ADS.map(({ id, ...copy }) => ({ ...copy, name: id })),
];

/** Only what was once approved has been shown. */
function copyOf({ company, ads }: DemoAdvertiser): Copy[] {
  return ads.filter(({ state = "approved" }) =>
    state === "approved" || state === "archived"
  ).map(({ path, headline, description }) => ({
    name: path,
    advertiser: company?.name ?? "",
    headline,
    description,
  }));
}

/** The ninety days up to yesterday, each advertisement on every n-th day. */
export function demoSpotlights(): Spotlight[] {
  return spotlightsOf(Array.from({ length: 90 }, (_, at) => copyAt(at)));
}

function copyAt(at: number): Copy {
  const copy = DEMO_COPY[at % DEMO_COPY.length];
  if (copy === undefined) throw new TypeError("There are demo advertisements");
  return copy;
}

/** A day each, oldest first, the last of them yesterday. */
export function spotlightsOf(copies: readonly Copy[]): Spotlight[] {
  return copies.map(({ name, advertiser, headline, description }, at) =>
    spotlight(addDays(TEST_TODAY, at - copies.length), {
      advertiser,
      headline,
      description,
      targetUrl: `https://www.example.com/${name}`,
      contentType: name.startsWith("house_")
        ? "house_advertisement"
        : "paid_advertisement",
    })
  );
}

/** The pages of the documentation as they are searched, in development. */
export async function docsPages(): Promise<PublishedDocuments> {
  const documents: PublishedDocuments = await readDocuments({
    ...DOCUMENT_FACTS,
    simulatorUrl: "http://localhost:8003",
  });
  return Object.fromEntries(
    SEARCHED_PATHS.map((path) => [path, documents[path] ?? ""]),
  );
}
