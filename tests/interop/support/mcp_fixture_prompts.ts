/** The fixture's prompts, one of which has to ask back. */
import {
  acceptedContent,
  completable,
  type GetPromptResult,
  inputRequired,
  type McpServer,
  type PromptMessage,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { PIXEL, textBlock } from "./mcp_fixture_content.ts";

/** Registers them. */
export function registerPrompts(server: McpServer): void {
  server.registerPrompt("test_simple_prompt", {
    description: "Takes nothing",
  }, () => ofUser(textBlock("This is a simple prompt for testing.")));
  const arg = (name: string) =>
    completable(
      z.string().describe(name),
      (typed) =>
        [`${name} hello`, `${name} world`].filter((one) =>
          one.startsWith(typed)
        ),
    );
  server.registerPrompt("test_prompt_with_arguments", {
    description: "Takes two texts",
    argsSchema: z.object({ arg1: arg("arg1"), arg2: arg("arg2") }),
  }, ({ arg1, arg2 }) =>
    ofUser(
      textBlock(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`),
    ));
  server.registerPrompt("test_prompt_with_embedded_resource", {
    description: "Takes the address of a resource",
    argsSchema: z.object({ resourceUri: z.string() }),
  }, ({ resourceUri: uri }) => {
    const text = "Embedded resource content for testing.";
    const resource = { uri, mimeType: "text/plain", text };
    return ofUser(
      { type: "resource", resource },
      textBlock("Please process the embedded resource above."),
    );
  });
  server.registerPrompt("test_prompt_with_image", {
    description: "Shows a picture",
  }, () =>
    ofUser(
      { type: "image", data: PIXEL, mimeType: "image/png" },
      textBlock("Please analyze the image above."),
    ));
  registerAsking(server);
}

function ofUser(...contents: PromptMessage["content"][]): GetPromptResult {
  return {
    messages: contents.map((content) => ({ role: "user" as const, content })),
  };
}

function registerAsking(server: McpServer): void {
  const properties = { context: { type: "string" as const } };
  server.registerPrompt("test_input_required_result_prompt", {
    description: "Asks for a context first",
  }, ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, "user_context");
    if (given !== undefined) {
      return ofUser(textBlock(`In the context ${given["context"]}`));
    }
    return inputRequired({
      inputRequests: {
        user_context: inputRequired.elicit({
          message: "What context should the prompt use?",
          requestedSchema: {
            type: "object",
            properties,
            required: ["context"],
          },
        }),
      },
    });
  });
}
