import {
  findOwnExport,
  requestExport,
} from "../../domain/privacy/request_export.ts";
import { requestErasure } from "../../domain/privacy/request_erasure.ts";
import type { DataExport } from "../../domain/privacy/data_requests.ts";
import { exportRecord } from "../../domain/privacy/export_record.ts";
import type { BearerGrant } from "../../domain/oauth/grant.ts";
import type { Services } from "../../domain/ports.ts";
import { ID_MAX, judgedText } from "../http/bounded_text.ts";
import { copyBytes, exportAnswer } from "../http/export_answer.ts";
import { RESULT_TEXT_MAX } from "../mcp/call.ts";
import { CHANGES, DESTROYS } from "../mcp/effects.ts";
import type { RouteContext } from "../route_table.ts";
import type { Answer } from "../shapes/operation.ts";
import { type AgentOperation, change, download, reading } from "./operation.ts";

const ACCEPTED: Answer = {
  description: "The copy is prepared in the background",
  content: { "application/json": "DataExport" },
};
const MAILED: Answer = {
  description: "The user was mailed, or had been; or confirmed it already",
  content: { "application/json": "Erasure" },
};
const DOCUMENT: Answer = {
  description: "The document",
  content: { "application/json": "DataExportDocument" },
};

/** What is done with `privacy:write` (contract §7.13). */
export const PRIVACY_OPERATIONS: readonly AgentOperation[] = [
  change({
    at: "POST /privacy/exports",
    scope: "privacy:write",
    id: "requestDataExport",
    summary: "Ask for a copy of all that is kept of the account",
    docs: "A [copy of the account's data](#data-requests) is prepared in " +
      "the background: 202 and its `id`, by which it is read.",
    tool: "request_data_export",
    title: "Ask for a copy of the account's data",
    description: "Asks for a copy of everything that is kept of the user and " +
      "the account. It is prepared in the background, mostly within a " +
      "minute; read it with get_data_export. The user is told by mail. At " +
      "most 3 a day.",
    effects: { ...CHANGES, idempotentHint: false },
    key: "required",
    schema: "DataExport",
    answers: { 202: ACCEPTED },
    change: (services, { grant, binding }) => {
      const { accountId, id: grantId } = grant;
      return requestExport(services, {
        accountId,
        grantId,
        by: { grant },
        binding,
      });
    },
  }),
  reading({
    at: "GET /privacy/exports/{id}",
    scope: "privacy:write",
    id: "readDataExport",
    summary: "Read how far a copy is that you asked for",
    docs: "The copy that this agent asked for: `status`, and the address of " +
      "its `document` once it is `ready`.",
    tool: "get_data_export",
    title: "A copy of the account's data",
    description: "Reads how far a copy is that this agent asked for with " +
      "request_data_export. Once it is ready, document is a resource of this " +
      "server, one JSON document that resources/read answers for 7 days. The " +
      "user finds the same on the privacy page.",
    argument: ["export_id", judgedText(ID_MAX).describe("Its id")],
    schema: "DataExport",
    async read(
      services,
      { grant: { accountId, id: grantId }, id, documentsAt },
    ) {
      const own = { accountId, grantId, id };
      const found = await findOwnExport(services, own);
      return exportRecord(found, documentsAt);
    },
  }),
  change({
    at: "POST /privacy/erasure",
    scope: "privacy:write",
    id: "requestErasure",
    summary: "Ask for the erasure of the account, which the user confirms",
    docs: "The user is mailed a link that [confirms the erasure](#data-" +
      "requests): 202 and until when it is good.",
    tool: "request_erasure",
    title: "Ask for the erasure of the account",
    description: "Asks for the erasure of the account. Nothing is erased by " +
      "it: the user is mailed a link that confirms it within a day, and can " +
      "change their mind for 7 days after that. Then agents, ads, cards and " +
      "bids that stand are gone for good.",
    effects: { ...DESTROYS, idempotentHint: false },
    key: "required",
    schema: "Erasure",
    answers: { 202: MAILED },
    change: (services, { grant, binding }) => {
      const { accountId, id: grantId } = grant;
      return requestErasure(services, {
        accountId,
        grantId,
        by: { grant },
        binding,
      });
    },
  }),
  download({
    at: "GET /privacy/exports/{id}/document",
    scope: "privacy:write",
    id: "readDataExportDocument",
    summary: "Download a copy that you asked for",
    docs: "The document, `application/json`, once it is ready.",
    title: "The document of a copy of the account's data",
    mimeType: "application/json",
    answers: { 200: DOCUMENT },
    isCopy: true,
    async document(services, grant, { id = "" }) {
      const found = await exportOf(services, grant, id);
      return await copyBytes(services, found, RESULT_TEXT_MAX);
    },
    send: sendDocument,
  }),
];

function exportOf(
  services: Services,
  { accountId, id: grantId }: BearerGrant,
  id: string,
): Promise<DataExport> {
  return findOwnExport(services, { accountId, grantId, id });
}

async function sendDocument(
  services: Services,
  grant: BearerGrant,
  context: RouteContext,
): Promise<Response> {
  const { id = "" }: Record<string, string> = context.req.param();
  const found = await exportOf(services, grant, id);
  return await exportAnswer(services, found, {
    headers: context.get("rateHeaders"),
    read: context.get("copyRead"),
  });
}
