import { z } from "zod";
import { type Day, parseDay } from "../../../domain/day.ts";
import {
  BATCH_DAYS_MAX,
  BATCH_PARAMETER_MAX,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  LIST_OFFSET_MAX,
} from "../../../domain/limits.ts";
import {
  type ListSpotlights,
  listSpotlights,
  type SpotlightPage,
} from "../../../domain/spotlights/list_spotlights.ts";
import {
  type PublicRecord,
  strongEtag,
} from "../../../domain/spotlights/public_record.ts";
import type { PublicRecords } from "../../../domain/spotlights/public_records.ts";
import { readCurrentSpotlight } from "../../../domain/spotlights/read_current_spotlight.ts";
import {
  type BatchItem,
  readSpotlight,
  readSpotlightBatch,
} from "../../../domain/spotlights/read_spotlight.ts";
import { judgedText } from "../../http/bounded_text.ts";
import { type Route, route, type RouteContext } from "../../route_table.ts";
import { prepareAnswer, preparedAnswer, readAnswer } from "./public_answer.ts";
import {
  bool,
  day,
  DAY_WANTED,
  integer,
  parsePathDay,
  parseQuery,
  queryOf,
  quoted,
  refuseInput,
} from "../../http/query.ts";

const currentQuery = z.object({ includeHouseAds: bool.default(true) });

const listQuery = z.object({
  limit: integer(1, LIST_LIMIT_MAX).default(LIST_LIMIT_DEFAULT),
  cursor: day.optional(),
  offset: integer(0, LIST_OFFSET_MAX).optional(),
});

/** How a refusal of a list begins. */
const LIST_ACTION = "Cannot list Spotlights";

const batchQuery = z.object({ days: judgedText(BATCH_PARAMETER_MAX) });

/** Public reads of settled Spotlights (contract §3). */
export function spotlightRoutes(records: PublicRecords): Route[] {
  return [
    route("GET", "/api/v1/spotlight", (context) => {
      const query = queryOf(context.req.url);
      const wanted = parseQuery(
        currentQuery,
        query,
        "Cannot read the current Spotlight",
      );
      return recordAnswer(context, readCurrentSpotlight(records, wanted));
    }),
    route("GET", "/api/v1/spotlights", (context) => {
      const page = parseList(queryOf(context.req.url));
      return listAnswer(context, records, page);
    }),
    route("GET", "/api/v1/spotlights/batch", (context) => {
      const days = parseDays(queryOf(context.req.url));
      return batchAnswer(context, records, days);
    }),
    route("GET", "/api/v1/spotlights/:day", (context) => {
      const text = context.req.param("day");
      // A day that has a record needs no parsing.
      const record = records.snapshot.byDay.get(text) ??
        readSpotlight(records, parsePathDay(text));
      return recordAnswer(context, record);
    }),
  ];
}

/** The answers of the records that were asked for, as long as those live. */
const prepared = new WeakMap<PublicRecord, Response>();

function recordAnswer(context: RouteContext, record: PublicRecord): Response {
  let answer = prepared.get(record);
  if (answer === undefined) {
    answer = prepareAnswer(record.body, record.etag);
    prepared.set(record, answer);
  }
  return preparedAnswer(context, answer, record.etag);
}

function listAnswer(
  context: RouteContext,
  records: PublicRecords,
  wanted: ListSpotlights,
): Response {
  const page = listSpotlights(records, wanted);
  // The records' own tags stand for their content, which is longer to hash.
  const tags = page.items.map((item) => item.etag).join();
  return readAnswer(context, pageText(page), strongEtag(tags + nextText(page)));
}

/** A page of the list as JSON text (contract §3.5). */
export function pageText(page: SpotlightPage): string {
  const data = page.items.map(({ json }) => json).join(",");
  return `{"data":[${data}],${nextText(page)}}`;
}

function nextText({ nextOffset, nextCursor }: SpotlightPage): string {
  return `"nextOffset":${JSON.stringify(nextOffset)},` +
    `"nextCursor":${JSON.stringify(nextCursor)}`;
}

function batchAnswer(
  context: RouteContext,
  records: PublicRecords,
  days: readonly Day[],
): Response {
  const items = readSpotlightBatch(records, days);
  const tags = items.map(({ day, record }) => record?.etag ?? day);
  return readAnswer(context, batchText(items), strongEtag(tags.join()));
}

/** A batch of days as JSON text (contract §3.6). */
export function batchText(items: readonly BatchItem[]): string {
  const results = items.map(({ day, record }) =>
    record === null
      ? `{"day":"${day}","status":404,"data":null}`
      : `{"day":"${day}","status":200,"data":${record.json}}`
  );
  return `{"results":[${results.join(",")}]}`;
}

function parseList(query: string): ListSpotlights {
  return wantedPage(parseQuery(listQuery, query, LIST_ACTION));
}

/**
 * The page that is asked for, by cursor or by offset (contract §3.5).
 *
 * @throws {Refused} `invalid_input` where both are given
 */
export function wantedPage(
  { limit, cursor, offset }: {
    limit: number;
    cursor?: Day | undefined;
    offset?: number | undefined;
  },
): ListSpotlights {
  if (cursor === undefined) return { limit, from: { offset: offset ?? 0 } };
  if (offset === undefined) return { limit, from: { cursor } };
  refuseInput(`${LIST_ACTION}: cursor and offset must not be given together`);
}

function parseDays(query: string): Day[] {
  const action = "Cannot read the batch";
  const { days: text } = parseQuery(batchQuery, query, action);
  if (text.length > BATCH_PARAMETER_MAX) {
    refuseInput(
      `${action}: days must have at most ${BATCH_PARAMETER_MAX} characters, ` +
        `current length is ${text.length}`,
    );
  }
  const days = text.split(",");
  if (days.length > BATCH_DAYS_MAX) {
    refuseInput(
      `${action}: days must name 1 to ${BATCH_DAYS_MAX} days, ` +
        `current number is ${days.length}`,
    );
  }
  return days.map((each) =>
    parseDay(each) ??
      refuseInput(
        `${action}: each of days must be ${DAY_WANTED}, ` +
          `current value is ${quoted(each)}`,
      )
  );
}
