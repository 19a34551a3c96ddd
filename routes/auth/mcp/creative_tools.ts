import { z } from "zod";
import { archiveCreative } from "../../../domain/creatives/archive_creative.ts";
import { createCreative } from "../../../domain/creatives/create_creative.ts";
import { toCreativeRecord } from "../../../domain/creatives/creative_record.ts";
import { findOwnCreative } from "../../../domain/creatives/find_own_creative.ts";
import { submitCreative } from "../../../domain/creatives/submit_creative.ts";
import { updateCreative } from "../../../domain/creatives/update_creative.ts";
import type { Services } from "../../../domain/ports.ts";
import { CREATIVE_POSITION } from "../../creative_position.ts";
import { CHANGES, DESTROYS, type Effects, READS } from "../../mcp/effects.ts";
import { orProblem } from "../../mcp/or_problem.ts";
import { defineTool } from "../../mcp/tool.ts";
import { keyArgument } from "../../mcp/tool_arguments.ts";
import {
  adIdText,
  copyMembers,
  creativeRecord,
  parseCreateBody,
  parseUpdateBody,
} from "../agent/creative_body.ts";
import { CREATIVES_ACTION, creativesPage } from "../agent/creative_routes.ts";
import { positionedQuery } from "../../http/list_query.ts";
import type { AdvertiserTool } from "./advertiser_caller.ts";
import { type BoundCall, boundCall, objectOf } from "./bound_call.ts";
import { listOf } from "./outputs.ts";
import { pageArguments } from "./page_arguments.ts";

const PATH = "/v1/agent/creatives";

const adId = adIdText.describe("A creative of the account");

/** What is done with `creatives:read` and `creatives:write`. */
export function creativeTools(services: Services): AdvertiserTool[] {
  return [
    listCreatives(services),
    getCreative(services),
    create(services),
    update(services),
    stepTool({
      name: "submit_creative",
      title: "Submit a creative for review",
      description: "Submits a draft to the operator's review. Bids need a " +
        "creative that was approved.",
      annotations: CHANGES,
      path: "submit",
      step: (asked) => submitCreative(services, asked),
    }),
    stepTool({
      name: "archive_creative",
      title: "Archive a creative",
      description: "Puts a creative away for good: no new bid may name it.",
      annotations: DESTROYS,
      path: "archive",
      step: (asked) => archiveCreative(services, asked),
    }),
  ];
}

function listCreatives(services: Services): AdvertiserTool {
  return defineTool({
    name: "list_creatives",
    title: "Own creatives",
    description: "Lists the account's own creatives, newest first, with the " +
      "state of each. A bid names one that is approved.",
    annotations: READS,
    scope: "creatives:read",
    input: pageArguments,
    output: orProblem(listOf(creativeRecord)),
    handle: (given, { caller: { grant: { accountId } } }) =>
      creativesPage(
        services,
        accountId,
        positionedQuery(given, CREATIVES_ACTION, CREATIVE_POSITION),
      ),
  });
}

function getCreative(services: Services): AdvertiserTool {
  return defineTool({
    name: "get_creative",
    title: "One own creative",
    description: "Reads one of the account's own creatives: its texts, its " +
      "state and, where it was rejected, why and what to change.",
    annotations: READS,
    scope: "creatives:read",
    input: z.strictObject({ ad_id: adId }),
    output: orProblem(creativeRecord),
    async handle({ ad_id: adId }, { caller: { grant: { accountId } } }) {
      const own = await findOwnCreative(services, { accountId, adId });
      return toCreativeRecord(own);
    },
  });
}

function create(services: Services): AdvertiserTool {
  return defineTool({
    name: "create_creative",
    title: "Write a creative",
    description: "Writes a new creative as a draft. Submit it for review " +
      "with submit_creative.",
    annotations: CHANGES,
    scope: "creatives:write",
    input: z.strictObject({ ...copyMembers, idempotency_key: keyArgument }),
    output: orProblem(creativeRecord),
    async handle({ idempotency_key: key, ...said }, { caller }) {
      const typed = parseCreateBody(said);
      const asked = boundCall(caller, { operation: `POST ${PATH}`, key, said });
      return objectOf(await createCreative(services, { ...asked, typed }));
    },
  });
}

function update(services: Services): AdvertiserTool {
  return defineTool({
    name: "update_creative",
    title: "Change a creative",
    description: "Changes the texts of a draft. An approved creative never " +
      "changes: changing it makes a new draft version with an ad_id of its " +
      "own, which has to be reviewed again.",
    annotations: { ...CHANGES, idempotentHint: false },
    scope: "creatives:write",
    input: z.strictObject({
      ad_id: adId,
      headline: copyMembers.headline.optional(),
      description: copyMembers.description.optional(),
      target_url: copyMembers.target_url.optional(),
      idempotency_key: keyArgument.optional(),
    }),
    output: orProblem(creativeRecord),
    async handle({ idempotency_key: key, ad_id: adId, ...given }, { caller }) {
      const said = JSON.parse(JSON.stringify(given));
      const typed = parseUpdateBody(said);
      const operation = `PATCH ${PATH}/${adId}`;
      const asked = boundCall(caller, { operation, key, said });
      const changed = { ...asked, adId, typed };
      return objectOf(await updateCreative(services, changed));
    },
  });
}

/** A step of a creative, which takes nothing but its id. */
function stepTool(
  { path, step, ...told }: {
    name: string;
    title: string;
    description: string;
    annotations: Effects;
    /** The last part of the operation's path. */
    path: string;
    step(
      asked: BoundCall & { adId: string },
    ): ReturnType<typeof submitCreative>;
  },
): AdvertiserTool {
  return defineTool({
    ...told,
    scope: "creatives:write",
    input: z.strictObject({
      ad_id: adId,
      idempotency_key: keyArgument.optional(),
    }),
    output: orProblem(creativeRecord),
    async handle({ ad_id: adId, idempotency_key: key }, { caller }) {
      const operation = `POST ${PATH}/${adId}/${path}`;
      const asked = boundCall(caller, { operation, key });
      return objectOf(await step({ ...asked, adId }));
    },
  });
}
