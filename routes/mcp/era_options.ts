import type { ServerOptions } from "@modelcontextprotocol/server";
import type { Era } from "./types.ts";

/** The newest revision of each era is what a client gets that asks for none. */
const VERSIONS: Readonly<Record<Era, string[]>> = {
  modern: ["2026-07-28"],
  legacy: ["2025-11-25", "2025-06-18"],
};

/** How long lists may be kept, and by whom. */
export interface Kept {
  ttlMs: number;
  cacheScope: "public" | "private";
}

/**
 * The options of a server with tools, resources and prompts, which speaks
 * 2026-07-28, 2025-11-25 and 2025-06-18. What is read may change or be removed
 * at any moment, so only lists are kept.
 */
export function eraOptions(
  era: Era,
  { instructions, lists }: { instructions: string; lists: Kept },
): ServerOptions {
  return {
    instructions,
    supportedProtocolVersions: VERSIONS[era],
    capabilities: {
      tools: { listChanged: false },
      resources: { listChanged: false },
      prompts: { listChanged: false },
    },
    cacheHints: {
      "server/discover": lists,
      "tools/list": lists,
      "prompts/list": lists,
      "resources/list": lists,
      "resources/templates/list": lists,
      "resources/read": { ttlMs: 0, cacheScope: lists.cacheScope },
    },
  };
}
