import { z } from "zod";
import { findOwnInvoice } from "../../../domain/invoices/find_own_invoice.ts";
import type { Services } from "../../../domain/ports.ts";
import { ID_MAX, judgedText } from "../../http/bounded_text.ts";
import { INVOICE_POSITION } from "../../invoice_position.ts";
import { READS } from "../../mcp/effects.ts";
import { orProblem } from "../../mcp/or_problem.ts";
import { defineTool } from "../../mcp/tool.ts";
import {
  INVOICES_ACTION,
  invoicesPage,
  wireInvoice,
} from "../agent/invoice_routes.ts";
import { positionedQuery } from "../../http/list_query.ts";
import type { AdvertiserTool } from "./advertiser_caller.ts";
import { pageArguments } from "./page_arguments.ts";
import { invoice, listOf } from "./outputs.ts";

/** What is read with `invoices:read`. */
export function invoiceTools(services: Services): AdvertiserTool[] {
  const { authUrl } = services.settings;
  return [
    defineTool({
      name: "list_invoices",
      title: "Invoices",
      description: "Lists the account's invoices with their credit notes, " +
        "newest first.",
      annotations: READS,
      scope: "invoices:read",
      input: pageArguments,
      output: orProblem(listOf(invoice)),
      handle: (given, { caller: { grant: { accountId } } }) =>
        invoicesPage(
          services,
          accountId,
          positionedQuery(given, INVOICES_ACTION, INVOICE_POSITION),
        ),
    }),
    defineTool({
      name: "get_invoice",
      title: "One invoice",
      description: "Reads an invoice of the account. Its pdf is read over " +
        "HTTP with the same token.",
      annotations: READS,
      scope: "invoices:read",
      input: z.strictObject({
        number: judgedText(ID_MAX).describe("Its number"),
      }),
      output: orProblem(invoice),
      async handle({ number }, { caller: { grant: { accountId } } }) {
        const own = await findOwnInvoice(services, { accountId, number });
        return wireInvoice(own, authUrl);
      },
    }),
  ];
}
