/** The operations that the published documents name are those there are. */
import { assert, assertEquals } from "@std/assert";
import { REHEARSALS_PATH } from "../../domain/sandbox/rehearse.ts";
import { agentSurface } from "../../routes/auth/agent/agent_routes.ts";
import type { Surface } from "../../routes/route_table.ts";
import { askSurface } from "../../routes/site/ask/ask_surface.ts";
import { checkoutSurface } from "../../routes/site/checkout/checkout_surface.ts";
import { metricsRoutes } from "../../routes/site/api/metrics.ts";
import { rehearsalSurface } from "../../routes/site/api/rehearsals.ts";
import { publicApi } from "../../routes/site/api/public_api.ts";
import {
  codeInColumn,
  DOCUMENT_PATHS,
  documentText,
} from "../support/documents.ts";
import { type RunningService, runService } from "../support/running_service.ts";

/** An operation as a document or a route writes it, its parameters unnamed. */
const OPERATION =
  /^(GET|POST|PUT|PATCH|DELETE) (\/(?:api|v1|ask|checkout_sessions)[^?]*)/;

/** The surfaces that developers use, made of a running service's parts. */
function surfacesOf({ service }: RunningService): Surface[] {
  const { services, limiter, records } = service.core;
  const routing = { services, limiter, trustedProxyHops: 0 };
  const merchant = {
    profileId: "profile_test",
    environment: "test",
  } as const;
  return [
    publicApi({
      ...routing,
      records,
      operations: metricsRoutes({ ...routing, records, profileId: "profile" }),
    }),
    askSurface({
      ...routing,
      settings: services.settings,
      retrieval: service.core.retrieval,
    }),
    agentSurface(routing),
    rehearsalSurface(routing),
    checkoutSurface({ ...routing, merchant }),
  ];
}

/** Every operation that is served, its parameters unnamed. */
async function servedOperations(): Promise<string[]> {
  await using running = await runService();
  return surfacesOf(running).flatMap(({ routes }) => routes)
    // What a rehearsal has is named by what stands below it.
    .map(({ method, path }) => `${method} ${path.replace(REHEARSAL, "")}`)
    .map(unnamed);
}

const REHEARSAL = `${REHEARSALS_PATH}/:rehearsal`;

function unnamed(path: string): string {
  return path.replaceAll(/:\w+|\{\w+\}/g, "{}").trim();
}

Deno.test("docs/developers.md names every operation in its tables and no other", async () => {
  const served = await servedOperations();
  const tables = codeInColumn(documentText("/developers.md"), 0)
    .flatMap((code) => OPERATION.exec(code) ?? [])
    .filter((text) => text.includes(" "));
  assert(tables.length > 20, "the tables are read");
  assertEquals(
    [...new Set(tables.map(unnamed))].toSorted(),
    [...new Set(served)].toSorted(),
  );
});

Deno.test("no document names an operation that is not there", async () => {
  const served = await servedOperations();
  for (const path of DOCUMENT_PATHS) {
    const named = [...documentText(path).matchAll(/`([^`\n]+)`/g)]
      .flatMap(([, code = ""]) =>
        OPERATION.exec(code)?.slice(1).join(" ") ?? []
      )
      .map(unnamed);
    assertEquals(named.filter((each) => !served.includes(each)), [], path);
  }
});
