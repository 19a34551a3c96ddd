import type { GetPromptResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Day } from "../../../domain/day.ts";
import { dayArgument } from "../../mcp/tool_arguments.ts";

/** Registers what people may start from. */
export function registerAdvertiserPrompts(server: McpServer): void {
  server.registerPrompt(
    "first_bid_checklist",
    {
      title: "First bid checklist",
      description: "Finds out what a bid still needs, and settles one point " +
        "after the other without placing it",
      argsSchema: z.strictObject({ day: dayArgument.optional() }),
    },
    ({ day }) => firstBidChecklist(day),
  );
}

function firstBidChecklist(day: Day | undefined): GetPromptResult {
  const wanted = day === undefined ? "today" : day;
  const steps = [
    `Call get_account${day === undefined ? "" : ` with day ${day}`}.`,
    "Go through first_bid.requirements in order and tell me of each whether " +
    "it is satisfied, blocked or unknown, and why.",
    "Follow first_bid.next_action: where its actor is agent, call its tool " +
    "with its arguments and ask me for each of required_inputs; where it is " +
    "user, give me its label and its address; where it is wait, tell me what " +
    "for. Then call get_account again.",
    "Once first_bid.status is ready, tell me the day, the creative, the " +
    "amount in euros and the mandate, and ask me whether to place the bid. " +
    "Call place_bid only after I have said yes: it spends money and can't be " +
    "taken back.",
  ];
  const text = `I want to bid in the auction of ${wanted}.\n` +
    steps.map((step, at) => `${at + 1}. ${step}`).join("\n");
  return { messages: [{ role: "user", content: { type: "text", text } }] };
}
