import { PRACTICE_DAY } from "../../../domain/sandbox/practice_records.ts";
import { REHEARSALS_PATH } from "../../../domain/sandbox/rehearse.ts";
import {
  type AgentOperation,
  type Change,
  placeOf,
  type Reading,
  templateOf,
} from "../../operations/operation.ts";
import { PAGE_PARAMETERS } from "../../operations/parameters.ts";
import {
  type Answer,
  idempotencyKey,
  json,
  type Operation,
  type Parameter,
} from "../../shapes/operation.ts";
import { REHEARSED } from "../../shapes/schemas.ts";

/** An operation of the agent API (contract §7) as openapi.json describes it. */
export function describedOperation(operation: AgentOperation): Operation {
  const { id, scope, summary, docs } = operation;
  const parameters = parametersOf(operation);
  const idTold = operation.kind === "download"
    ? undefined
    : operation.argument?.[1].description;
  return {
    kind: "agent",
    id,
    method: placeOf(operation).method.toLowerCase() as Operation["method"],
    path: templateOf(operation),
    ...idTold !== undefined && { idTold },
    scope,
    summary,
    // Sections of the page that it is written for, seen from elsewhere.
    description: docs.replaceAll("](#", "]({base_url}/developers#"),
    ...parameters.length > 0 && { parameters },
    ...operation.kind === "change" && operation.body !== null &&
      { body: operation.body.schema },
    answers: answersOf(operation),
  };
}

/** The same operation in a rehearsal (contract §3.8). */
export function describedRehearsal(operation: Reading | Change): Operation {
  const { scope: _scope, answers: _answers, ...same } = describedOperation(
    operation,
  );
  const { schema, id } = operation;
  const name = REHEARSED[schema as keyof typeof REHEARSED];
  return {
    ...same,
    kind: "rehearsal",
    id: `rehearse${id.charAt(0).toUpperCase()}${id.slice(1)}`,
    path: `${REHEARSALS_PATH}/{rehearsal}${templateOf(operation)}`,
    summary: `In a rehearsal: ${operation.summary}`,
    description: "Without a token, over made-up records: begin with day " +
      `${PRACTICE_DAY} and the creative ad_practice. Nothing real is read or ` +
      "changed.",
    answers: { 200: json(name) },
  };
}

function parametersOf(operation: AgentOperation): Parameter[] {
  if (operation.kind === "download") return [];
  if (operation.kind === "change") {
    return [idempotencyKey(operation.key === "required")];
  }
  const { query, positions } = operation;
  return [
    ...Object.entries(query).map(([name, { told }]) => told(name)),
    ...positions === null ? [] : PAGE_PARAMETERS,
  ];
}

function answersOf(operation: AgentOperation): Operation["answers"] {
  if (operation.kind === "download") return operation.answers;
  const { schema } = operation;
  if (operation.kind === "change") {
    const { answers = {} } = operation;
    const isMade = 201 in answers;
    return isMade ? answers : { 200: json(schema), ...answers };
  }
  return { 200: operation.csv === null ? json(schema) : orTable(schema) };
}

/** What `Accept: text/csv` gets as a table. */
function orTable(schema: Operation["body"] & string): Answer {
  return {
    description: "Success",
    content: { "application/json": schema, "text/csv": "Csv" },
  };
}
