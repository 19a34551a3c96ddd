/** The fixture's tools that answer at once, and its resources. */
import {
  type CallToolResult,
  type ContentBlock,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";

/** A picture of one pixel, PNG in base64. */
export const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==";
/** A sound without a sample, WAV in base64. */
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

const picture: ContentBlock = {
  type: "image",
  data: PIXEL,
  mimeType: "image/png",
};

/** A text as the content of a tool or prompt. */
export function textBlock(
  text: string,
): Extract<ContentBlock, { type: "text" }> {
  return { type: "text", text };
}

/** What tools without arguments answer. */
const CONTENTS: Readonly<Record<string, ContentBlock[]>> = {
  test_simple_text: [
    textBlock("This is a simple text response for testing."),
  ],
  test_image_content: [picture],
  test_audio_content: [
    { type: "audio", data: SILENCE, mimeType: "audio/wav" },
  ],
  test_embedded_resource: [{
    type: "resource",
    resource: {
      uri: "test://embedded-resource",
      mimeType: "text/plain",
      text: "This is an embedded resource content.",
    },
  }],
  test_multiple_content_types: [
    textBlock("Multiple content types test:"),
    picture,
    {
      type: "resource",
      resource: {
        uri: "test://mixed-content-resource",
        mimeType: "application/json",
        text: '{"test":"data","value":123}',
      },
    },
  ],
};

/** Registers them. */
export function registerContent(server: McpServer): void {
  const none = { inputSchema: z.strictObject({}) };
  for (const [name, content] of Object.entries(CONTENTS)) {
    server.registerTool(name, { ...none, description: name }, () => ({
      content,
    }));
  }
  const acting = { test_error_handling, test_tool_with_progress };
  for (const [name, act] of Object.entries(acting)) {
    server.registerTool(
      name,
      { ...none, description: name },
      (_, context) => act(context),
    );
  }
  for (const name of ["test_logging_tool", "test_tool_with_logging"]) {
    server.registerTool(
      name,
      { ...none, description: name },
      (_, context) => logged(context),
    );
  }
  registerResources(server);
}

function test_error_handling(): CallToolResult {
  const text = "This tool intentionally returns an error for testing";
  return { content: [textBlock(text)], isError: true };
}

async function test_tool_with_progress(
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken !== undefined) {
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      await mcpReq.notify({ method: "notifications/progress", params });
    }
  }
  return { content: [textBlock("All steps are done")] };
}

async function logged({ mcpReq }: ServerContext): Promise<CallToolResult> {
  await mcpReq.log("info", "A step is done");
  return { content: [textBlock("It may have been logged")] };
}

function registerResources(server: McpServer): void {
  const text = "This is the content of the static text resource.";
  server.registerResource(
    "static-text",
    "test://static-text",
    { mimeType: "text/plain" },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: "text/plain", text }] }),
  );
  server.registerResource(
    "static-binary",
    "test://static-binary",
    { mimeType: "image/png" },
    ({ href: uri }) => ({
      contents: [{ uri, mimeType: "image/png", blob: PIXEL }],
    }),
  );
  const mimeType = "application/json";
  server.registerResource(
    "template",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { mimeType },
    ({ href: uri }, { id }) => ({
      contents: [{
        uri,
        mimeType,
        text: JSON.stringify({
          id,
          templateTest: true,
          data: `Data for ID: ${id}`,
        }),
      }],
    }),
  );
}
