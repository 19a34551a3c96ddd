import { AGENT_OPERATIONS } from "./agent_operations.ts";
import { type AgentOperation, placeOf } from "./operation.ts";

/**
 * Writes the operations of the agent API into a document: those of some scopes
 * as a table where it says `{agent_operations:bids,…}`, and all tools where it
 * says `{agent_tools}`.
 */
export function withAgentTables(
  text: string,
  operations: readonly AgentOperation[] = AGENT_OPERATIONS,
): string {
  return text
    .replaceAll(/\{agent_operations:([a-z,]+)\}/g, (_, areas) => {
      const own = operations.filter(({ scope }) =>
        areas.split(",").includes(scope.split(":")[0])
      );
      return tableOf(["Request", "Scope", "Answer"], own.map(requestRow));
    })
    .replaceAll(
      "{agent_tools}",
      () => tableOf(["Tool", "Scope", "As"], operations.flatMap(toolRows)),
    );
}

function requestRow(operation: AgentOperation): string[] {
  const { scope, docs } = operation;
  return [requestOf(operation), `\`${scope}\``, docs];
}

function toolRows(operation: AgentOperation): string[][] {
  if (operation.kind === "download") return [];
  const { scope, tool } = operation;
  return [[`\`${tool}\``, `\`${scope}\``, requestOf(operation)]];
}

function requestOf(operation: AgentOperation): string {
  const { method, path } = placeOf(operation);
  return `\`${method} ${path}\``;
}

function tableOf(head: string[], rows: string[][]): string {
  const line = head.map(() => "---");
  return [
    `| ${head.join(" | ")} |`,
    `|${line.join("|")}|`,
    ...rows.map((cells) => `| ${cells.join(" | ")} |`),
  ].join("\n");
}
