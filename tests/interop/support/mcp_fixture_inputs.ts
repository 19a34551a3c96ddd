/** The fixture's tools that ask back, in one round or more. */
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequest,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { textBlock } from "./mcp_fixture_content.ts";

/** Seals what a server wants to know again in the next round. */
type Seal = (payload: string) => Promise<string>;

/** What a tool answers: its text, or what it needs for that. */
type Answer = string | InputRequiredResult;

type Tool = (context: ServerContext, seal: Seal) => Answer | Promise<Answer>;

/** Registers them. */
export function registerInputs(server: McpServer, seal: Seal): void {
  for (const [name, tool] of Object.entries(TOOLS)) {
    server.registerTool(name, {
      description: name,
      inputSchema: z.strictObject({}),
    }, async (_, context) => {
      const answer = await tool(context, seal);
      return typeof answer === "string"
        ? { content: [textBlock(answer)] }
        : answer;
    });
  }
}

const TOOLS: Readonly<Record<string, Tool>> = {
  test_input_required_result_elicitation({ mcpReq }) {
    const given = acceptedContent(mcpReq.inputResponses, "user_name");
    if (given !== undefined) return `Hello, ${given["name"]}!`;
    return asking({ user_name: textField("What is your name?", "name") });
  },
  test_input_required_result_sampling({ mcpReq }) {
    const given = inputResponse(mcpReq.inputResponses, "capital_question");
    if (given.kind === "sampling") return JSON.stringify(given.result.content);
    return asking({
      capital_question: sampled("What is the capital of France?"),
    });
  },
  test_input_required_result_list_roots({ mcpReq }) {
    const given = inputResponse(mcpReq.inputResponses, "client_roots");
    if (given.kind === "roots") return JSON.stringify(given.roots);
    return asking({ client_roots: inputRequired.listRoots() });
  },
  async test_input_required_result_request_state({ mcpReq }, seal) {
    if (mcpReq.requestState() === "first") return "state-ok";
    return asking({ confirm: confirmation() }, await seal("first"));
  },
  async test_input_required_result_tampered_state({ mcpReq }, seal) {
    if (mcpReq.requestState() === "first") return "state-ok";
    return asking({ confirm: confirmation() }, await seal("first"));
  },
  async test_input_required_result_multiple_inputs({ mcpReq }, seal) {
    const { inputResponses = {} } = mcpReq;
    const requests = {
      user_name: textField("What is your name?", "name"),
      greeting: sampled("Generate a greeting"),
      client_roots: inputRequired.listRoots(),
    };
    const missing = Object.keys(requests)
      .some((key) => inputResponse(inputResponses, key).kind === "missing");
    return missing ? asking(requests, await seal("first")) : "All is there";
  },
  async test_input_required_result_multi_round({ mcpReq }, seal) {
    switch (mcpReq.requestState()) {
      case "first":
        return asking(
          { step2: textField("Step 2: What is your favorite color?", "color") },
          await seal("second"),
        );
      case "second":
        return "Both steps are done";
      default:
        return asking(
          { step1: textField("Step 1: What is your name?", "name") },
          await seal("first"),
        );
    }
  },
  test_input_required_result_capabilities({ mcpReq }) {
    const envelope: Record<string, unknown> = { ...mcpReq.envelope };
    const able = Object.keys(envelope[CLIENT_CAPABILITIES_META_KEY] ?? {});
    return asking({
      ...able.includes("sampling") && { greeting: sampled("A greeting") },
      ...able.includes("elicitation") && { confirm: confirmation() },
    });
  },
  test_missing_capability: () => asking({ greeting: sampled("A greeting") }),
  test_streaming_elicitation: () => asking({ confirm: confirmation() }),
};

function asking(
  inputRequests: Record<string, InputRequest>,
  requestState?: string,
): InputRequiredResult {
  return inputRequired({
    inputRequests,
    ...requestState !== undefined && { requestState },
  });
}

function textField(message: string, name: string): InputRequest {
  return inputRequired.elicit({
    message,
    requestedSchema: {
      type: "object",
      properties: { [name]: { type: "string" } },
      required: [name],
    },
  });
}

function confirmation(): InputRequest {
  return inputRequired.elicit({
    message: "Please confirm",
    requestedSchema: {
      type: "object",
      properties: { ok: { type: "boolean" } },
      required: ["ok"],
    },
  });
}

function sampled(text: string): InputRequest {
  return inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text } }],
    maxTokens: 100,
  });
}
