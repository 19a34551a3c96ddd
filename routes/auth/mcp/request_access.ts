import { z } from "zod";
import { type Scope, SCOPES } from "../../../domain/oauth/grant.ts";
import { READS } from "../../mcp/effects.ts";
import { orProblem } from "../../mcp/or_problem.ts";
import { defineTool } from "../../mcp/tool.ts";
import type { AdvertiserTool } from "./advertiser_caller.ts";

const input = z.strictObject({
  scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length)
    .describe("What is needed, as the tools say it"),
});

/**
 * Asks for scopes by name: held ones are answered, others are the challenge
 * that a tool which takes them would be.
 */
export const requestAccess: AdvertiserTool = defineTool({
  name: "request_access",
  title: "Ask the user for access",
  description: "Asks the user to allow this agent more, best all that a task " +
    "takes at once. Answers what it may do where nothing is missing, and " +
    "else what the user has to do. Needs nothing.",
  annotations: READS,
  scope: scopesNamed,
  input,
  output: orProblem(
    z.strictObject({ scopes: z.array(z.enum(SCOPES)) })
      .describe("All that this agent may do"),
  ),
  handle: (_, { caller }) => ({ scopes: [...caller.grant.scopes] }),
});

/** None where the arguments are faulty, which is told by whoever reads them. */
function scopesNamed(given: unknown): readonly Scope[] {
  return input.safeParse(given).data?.scopes ?? [];
}
