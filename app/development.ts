import type { Settings } from "../domain/ports.ts";
import type { Route } from "../routes/route_table.ts";
import type { OperatorParts } from "../routes/site/operator/operator_parts.ts";

/** What `deno task dev` adds to a service. */
export interface Development {
  /** Further routes of the operator API. */
  operatorRoutes(parts: OperatorParts): readonly Route[];
  /** Starts what stands in for the registry of VAT ids. */
  startVies(): Promise<{ address: string; close(): Promise<void> }>;
}

/** What a service has of it: nothing in preview and production. */
export function developmentOf(
  { environment }: Pick<Settings, "environment">,
  given: Development | undefined,
): Development | null {
  return environment === "development" ? given ?? null : null;
}
