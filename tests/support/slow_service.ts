/**
 * A service in a process of its own, whose routes finish when the test lets
 * them. Prints its address once it listens.
 */
import { parseConfig } from "../../config/config.ts";
import { route } from "../../routes/route_table.ts";
import { stopOnFault, stopOnSignal } from "../../app/serve.ts";
import { startService } from "../../app/service.ts";

const service = await startService(
  parseConfig({
    ENVIRONMENT: "development",
    BASE_URL: "http://localhost:0",
    AUTH_URL: "http://localhost:0",
    DOCS_MCP_URL: "http://localhost:0/mcp",
    DATA_DIR: Deno.args[0],
  }),
  {
    graceMs: Number(Deno.args[1]),
    routes: ({ stopping }) => ({
      site: [
        // Answers when the whole body has come.
        route(
          "POST",
          "/echo",
          async (context) => context.text(await context.req.text()),
        ),
        // Ends when the service stops.
        route("GET", "/stream", () => streamUntil(stopping)),
        // Never ends by itself.
        route("GET", "/stuck", () => streamUntil(new AbortController().signal)),
        // Leaves behind what nobody catches.
        route("GET", "/fault", (context) => {
          Promise.reject(new Error("nobody listens"));
          return context.text("answered");
        }),
      ],
    }),
  },
);
stopOnSignal(service.stop);
stopOnFault(service);
// deno-lint-ignore no-console -- the test reads it
console.log(service.config.settings.baseUrl);

function streamUntil(signal: AbortSignal): Response {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode("open\n"));
      signal.addEventListener("abort", () => controller.close());
    },
  });
  return new Response(body);
}
