import { isoTime } from "../day.ts";
import type { SectionPlace } from "./data_requests.ts";
import type { Json } from "../idempotency/canonical_json.ts";
import { agentsSection, checkoutsSection } from "./export_agents.ts";
import { accountSection, signInSection } from "./export_account.ts";
import { adsSection, bidsSection, spotlightsSection } from "./export_ads.ts";
import {
  cardsSection,
  disputesSection,
  identitySection,
  invoicesSection,
} from "./export_money.ts";
import { partnerSection } from "./export_partner.ts";
import type { Exported, ExportServices } from "./exported.ts";
import { eventsSection, mailsSection, requestsSection } from "./export_told.ts";

/**
 * A part of the document: one value, or records one after another of which there
 * may be many.
 */
type ReadSection = (
  services: ExportServices,
  exported: Exported,
) => Promise<Json> | AsyncIterable<Json>;

/** The parts of the document, in the order they are read. */
export const EXPORT_SECTIONS = {
  account: accountSection,
  sign_in: signInSection,
  identity: identitySection,
  cards: cardsSection,
  agents: agentsSection,
  checkouts: checkoutsSection,
  ads: adsSection,
  bids: bidsSection,
  spotlights: spotlightsSection,
  invoices: invoicesSection,
  disputes: disputesSection,
  partner: partnerSection,
  events: eventsSection,
  mails: mailsSection,
  data_requests: requestsSection,
} as const satisfies Record<string, ReadSection>;

/** The name of a part of the document. */
export type ExportSection = keyof typeof EXPORT_SECTIONS;

/** What takes the text of a document. */
export interface DocumentWriter {
  readonly part: number;
  add(text: string): Promise<void>;
}

/**
 * Writes everything that is kept of an account as one JSON document, record by
 * record: nothing of anybody else, and nothing that signs in.
 *
 * @returns the sections, for who reads a part of the document by itself
 * @throws {Refused} `account_not_found`
 */
export async function writeDocument(
  services: ExportServices,
  exported: Exported,
  writer: DocumentWriter,
): Promise<SectionPlace[]> {
  const begin = {
    format: "spotlight-data-export",
    version: 1,
    made_at: isoTime(services.clock.now()),
    service: services.settings.baseUrl,
    times: "UTC",
    amounts: "integer cents, EUR",
  };
  await writer.add(JSON.stringify(begin, null, 1).slice(0, -"\n}".length));
  const places: SectionPlace[] = [];
  for (const [name, read] of Object.entries(EXPORT_SECTIONS)) {
    const section = name as ExportSection;
    await writer.add(`,\n ${JSON.stringify(section)}: `);
    const { part } = writer;
    const count = await writeSection(read(services, exported), writer);
    places.push({ section, count, part });
  }
  await writer.add("\n}");
  return places;
}

async function writeSection(
  section: ReturnType<ReadSection>,
  writer: DocumentWriter,
): Promise<number | null> {
  if (section instanceof Promise) {
    const value = await section;
    await writer.add(textOf(value, " "));
    return Array.isArray(value) ? value.length : null;
  }
  let count = 0;
  for await (const record of section) {
    await writer.add(`${count === 0 ? "[" : ","}\n  ${textOf(record, "  ")}`);
    count += 1;
  }
  await writer.add(count === 0 ? "[]" : "\n ]");
  return count;
}

/** A value within another. */
function textOf(value: Json, indent: string): string {
  return JSON.stringify(value, null, 1).replaceAll("\n", `\n${indent}`);
}
