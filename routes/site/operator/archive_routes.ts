import type { ArchiveTask } from "../../../domain/invoices/archive_task.ts";
import {
  findArchiveTask,
  retryArchiving,
} from "../../../domain/invoices/retry_archiving.ts";
import { type Route, route } from "../../route_table.ts";
import type { OperatorParts } from "./operator_parts.ts";
import { isoOrNull, operatorAnswer } from "./operator_answer.ts";

const PATH = "/operator/v1/archive/:number";

/** The operator's hand on the archive of printed documents. */
export function archiveRoutes(
  { services }: Pick<OperatorParts, "services">,
): Route[] {
  return [
    route("GET", PATH, async (context) => {
      const number = context.req.param("number");
      return operatorAnswer(toRecord(
        await findArchiveTask(services, { number }),
      ));
    }),
    route("POST", `${PATH}/retry`, async (context) => {
      const number = context.req.param("number");
      return operatorAnswer(toRecord(
        await retryArchiving(services, { number }),
      ));
    }),
  ];
}

function toRecord(task: ArchiveTask): Record<string, unknown> {
  const { number, kind, documentId, state, attempts, bytes, sha256 } = task;
  return {
    number,
    kind,
    document_id: documentId,
    state,
    attempts,
    due_at: state === "waiting" ? isoOrNull(task.dueAtMs) : null,
    bytes,
    sha256,
  };
}
