import { archiveCreative } from "../../domain/creatives/archive_creative.ts";
import { createCreative } from "../../domain/creatives/create_creative.ts";
import type { Copy } from "../../domain/creatives/creative.ts";
import { toCreativeRecord } from "../../domain/creatives/creative_record.ts";
import { ownCreative } from "../../domain/creatives/own_creative.ts";
import { submitCreative } from "../../domain/creatives/submit_creative.ts";
import { updateCreative } from "../../domain/creatives/update_creative.ts";
import { CREATIVE_POSITIONS } from "../http/positions.ts";
import { type Answer, json } from "../shapes/operation.ts";
import { listPage } from "../http/list_query.ts";
import { CHANGES, DESTROYS } from "../mcp/effects.ts";
import {
  adIdText,
  createCreativeBody,
  parseCreateBody,
  parseUpdateBody,
  updateCreativeBody,
} from "../shapes/creative_body.ts";
import { type AgentOperation, change, reading } from "./operation.ts";

/** EngineProblem has a row of `errors` for each problem of the copy. */
const BAD_COPY: Answer = {
  description: "The request is invalid, or its copy is not acceptable",
  content: {
    "application/problem+json": ["AgentProblem", "EngineProblem"],
    "application/json": "OAuthBearerError",
  },
};

const ofAccount = [
  "ad_id",
  adIdText.describe(
    "The ad_id of a creative of the account: create_creative answers one, " +
      "list_creatives has all of them",
  ),
] as const;

/** What is done with `creatives:read` and `creatives:write`. */
export const CREATIVE_OPERATIONS: readonly AgentOperation[] = [
  reading({
    at: "GET /creatives",
    scope: "creatives:read",
    id: "listCreatives",
    summary: "List your creatives",
    docs: "`{items, next_cursor}`: your own creatives, newest first.",
    tool: "list_creatives",
    title: "Own creatives",
    description: "Lists the account's own creatives, newest first, with the " +
      "state of each. A bid names one that is approved.",
    schema: "CreativeList",
    action: "Cannot list the creatives",
    positions: CREATIVE_POSITIONS.shape,
    read: (services, { grant: { accountId }, page }) =>
      listPage(CREATIVE_POSITIONS, page, {
        list: (part) => services.store.listNewestCreatives(accountId, part),
        placeOf: (creative) => creative,
        wire: toCreativeRecord,
      }),
  }),
  reading({
    at: "GET /creatives/{ad_id}",
    scope: "creatives:read",
    id: "readCreative",
    summary: "Read a creative of yours",
    docs: "One of them.",
    tool: "get_creative",
    title: "One own creative",
    description: "Reads one of the account's own creatives: its texts, its " +
      "state and, where it was rejected, why and what to change.",
    argument: ofAccount,
    schema: "Creative",
    read: async (services, { grant: { accountId }, id: adId }) =>
      toCreativeRecord(await ownCreative(services.store, { accountId, adId })),
  }),
  change<Copy>({
    at: "POST /creatives",
    scope: "creatives:write",
    id: "createCreative",
    summary: "Write a draft of a creative",
    docs: "201, a new draft.",
    tool: "create_creative",
    title: "Write a creative",
    description: "Writes a new creative as a draft. Submit it for review " +
      "with submit_creative.",
    effects: CHANGES,
    schema: "Creative",
    answers: { 201: json("Creative", "The draft"), 400: BAD_COPY },
    key: "required",
    body: {
      schema: "CreateCreative",
      arguments: createCreativeBody.shape,
      parse: parseCreateBody,
    },
    change: (services, { grant, body: typed, binding }) =>
      createCreative(services, { ...ownerOf(grant), typed, binding }),
  }),
  change<Partial<Copy>>({
    at: "PATCH /creatives/{ad_id}",
    scope: "creatives:write",
    id: "updateCreative",
    summary: "Change a draft, or draft a new version of what is approved",
    docs: "200, the changed draft; 201, a new draft made of an approved or " +
      "rejected one.",
    tool: "update_creative",
    title: "Change a creative",
    description: "Changes the texts of a draft. An approved or rejected " +
      "creative never changes: changing it makes a new draft version with an " +
      "ad_id of its own, to be submitted and reviewed.",
    effects: { ...CHANGES, idempotentHint: false },
    argument: ofAccount,
    schema: "Creative",
    answers: {
      200: json("Creative", "The draft"),
      201: json("Creative", "A new draft"),
      400: BAD_COPY,
    },
    body: {
      schema: "UpdateCreative",
      arguments: updateCreativeBody.shape,
      parse: parseUpdateBody,
    },
    change: (services, { grant, id: adId, body: typed, binding }) =>
      updateCreative(services, { ...ownerOf(grant), adId, typed, binding }),
  }),
  change({
    at: "POST /creatives/{ad_id}/submit",
    scope: "creatives:write",
    id: "submitCreative",
    summary: "Submit a draft for review",
    docs: "The creative, now under review.",
    tool: "submit_creative",
    title: "Submit a creative for review",
    description: "Submits a draft to the operator's review. Bids need a " +
      "creative that was approved.",
    effects: CHANGES,
    argument: ofAccount,
    schema: "Creative",
    change: (services, { grant, id: adId, binding }) =>
      submitCreative(services, { ...ownerOf(grant), adId, binding }),
  }),
  change({
    at: "POST /creatives/{ad_id}/archive",
    scope: "creatives:write",
    id: "archiveCreative",
    summary: "Archive a creative",
    docs: "The creative, put away for good.",
    tool: "archive_creative",
    title: "Archive a creative",
    description: "Puts a creative away for good: no new bid may name it. It " +
      "is refused while a bid that has not settled stands on it.",
    effects: DESTROYS,
    argument: ofAccount,
    schema: "Creative",
    change: (services, { grant, id: adId, binding }) =>
      archiveCreative(services, { ...ownerOf(grant), adId, binding }),
  }),
];

function ownerOf(
  { accountId, id: grantId }: { accountId: string; id: string },
): { accountId: string; grantId: string } {
  return { accountId, grantId };
}
