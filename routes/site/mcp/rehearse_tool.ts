import { z } from "zod";
import { invariant } from "../../../domain/invariant.ts";
import type { Services } from "../../../domain/ports.ts";
import { practiceGrant } from "../../../domain/sandbox/practice_records.ts";
import { REHEARSAL_ID } from "../../../domain/sandbox/rehearsal.ts";
import type { RehearsalServices } from "../../../domain/sandbox/rehearse.ts";
import {
  IN_SANDBOX,
  REHEARSED_TOOL_ANSWERS,
} from "../../errors/rehearsal_answers.ts";
import { refuseInput } from "../../http/query.ts";
import { CHANGES } from "../../mcp/effects.ts";
import { orProblem } from "../../mcp/or_problem.ts";
import { defineTool } from "../../mcp/tool.ts";
import type { Tool } from "../../mcp/types.ts";
import { type OperationCaller, toolsOf } from "../../operations/as_tool.ts";
import { REHEARSAL_OPERATIONS } from "../../operations/rehearsal_operations.ts";
import { REHEARSAL_WANTED } from "../api/rehearsals.ts";

const NAMES = REHEARSAL_OPERATIONS.map(({ tool }) => tool) as [
  string,
  ...string[],
];

const input = z.strictObject({
  rehearsal: z.string().regex(REHEARSAL_ID, `must be ${REHEARSAL_WANTED}`)
    .max(64).describe(
      "A name you make up for this rehearsal, and repeat: who knows it sees it",
    ),
  tool: z.enum(NAMES).describe("The advertiser's tool that is rehearsed"),
  arguments: z.record(z.string().max(64), z.unknown()).default({})
    .describe("Its arguments, as that tool takes them"),
});

/** The advertiser's tools of a bid, to practise with. */
export function rehearseTool<Caller>(
  services: RehearsalServices,
): Tool<Caller> {
  const tools = new Map(
    REHEARSAL_OPERATIONS
      .flatMap((each) => toolsOf<OperationCaller>(services as Services, each))
      .map((tool) => [tool.name, tool]),
  );
  return defineTool({
    name: "rehearse",
    title: "Rehearse a bid",
    description: "Try this first: calls an advertiser's tool in a sandbox, " +
      "without an account or money. Begin with tool get_account and arguments " +
      '{"day": "2025-01-01", "ad_id": "ad_practice", "amount_cents": 2500}, ' +
      "then place_bid, raise it, and settle. Answers are those of the real " +
      "tool and begin with sandbox: true. Other ad_ids rehearse refusals: see " +
      "Rehearse a bid in /developers.md. Nothing real is read or changed.",
    annotations: CHANGES,
    scope: null,
    isPractice: true,
    answers: REHEARSED_TOOL_ANSWERS,
    input,
    output: orProblem(
      z.looseObject({ sandbox: z.literal(true) })
        .describe("What the tool answers, marked as practice"),
    ),
    async handle({ rehearsal, tool: name, arguments: given }, call) {
      const tool = tools.get(name);
      invariant(tool !== undefined, "only known tools are named");
      const read = await tool.input["~standard"].validate(given);
      if (read.issues) {
        const said = read.issues.map(({ path = [], message }) =>
          [...path, message].join(" ")
        );
        refuseInput(`Cannot rehearse ${name}: ${said.join("; ")}`);
      }
      const caller = {
        grant: practiceGrant(rehearsal, null),
        network: null,
        admitted: Promise.resolve(),
        stillMay: () => Promise.resolve(),
      };
      const answer = await tool.handle(read.value, { ...call, caller });
      return { ...IN_SANDBOX, ...answer as Record<string, unknown> };
    },
  });
}
