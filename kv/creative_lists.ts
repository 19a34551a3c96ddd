import type { AdReport } from "../domain/ad_reports/ad_report.ts";
import type { Creative, CreativeOwner } from "../domain/creatives/creative.ts";
import type { Store } from "../domain/ports.ts";
import { collect, follow, type ListContext } from "./collect.ts";
import { ends, keys, prefixes } from "./keys.ts";

/** The lists of creatives, and of what is reported about them. */
export type CreativeLists = Pick<
  Store,
  | "listCreatives"
  | "listNewestCreatives"
  | "listSubmittedCreatives"
  | "listCreativeNotes"
  | "listOpenAdReports"
>;

/** Creatives and reports; an index may be behind the record. */
export function creativeLists(context: ListContext): CreativeLists {
  const creativesAt = (rows: readonly CreativeOwner[]) =>
    follow<Creative>(
      context,
      rows.map(({ accountId, adId }) => keys.creative(accountId, adId)),
    );
  return {
    listCreatives: (accountId, options) =>
      collect(
        context,
        { prefix: [...prefixes.creativesOf(accountId)] },
        options,
      ),
    async listNewestCreatives(accountId, { limit, before }) {
      const prefix = [...prefixes.newestCreativesOf(accountId)];
      const rows = await collect<CreativeOwner>(
        context,
        before
          ? { prefix, end: [...ends.creativesBefore(accountId, before)] }
          : { prefix },
        { limit, reverse: true },
      );
      return await creativesAt(rows);
    },
    async listSubmittedCreatives(options) {
      const prefix = [...prefixes.submittedCreatives];
      const rows = await collect<CreativeOwner>(context, { prefix }, options);
      const creatives = await creativesAt(rows);
      // One may have been decided after its row was read.
      return creatives.filter(({ state }) => state === "submitted");
    },
    listCreativeNotes: (adId, options) =>
      collect(
        context,
        { prefix: [...prefixes.creativeNotesOf(adId)] },
        options,
      ),
    async listOpenAdReports(options) {
      const prefix = [...prefixes.openAdReports];
      const rows = await collect<{ reportId: string }>(
        context,
        { prefix },
        options,
      );
      const reports = await follow<AdReport>(
        context,
        rows.map(({ reportId }) => keys.adReport(reportId)),
      );
      return reports.filter(({ closedAtMs }) => closedAtMs === null);
    },
  };
}
