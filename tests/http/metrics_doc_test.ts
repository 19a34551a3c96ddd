/** The program that developers paste buys figures as it stands on the page. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openKv } from "../../kv/open.ts";
import { startSimulator } from "../../simulators/stripe/mod.ts";
import { ROOT } from "../../tools/own_modules.ts";
import { runProcess } from "../support/captured_process.ts";
import { settle, spotlight } from "../support/public_spotlights.ts";
import { runService } from "../support/running_service.ts";

const DOC = await Deno.readTextFile(`${ROOT}docs/developers.md`);
const SECRET_KEY = "sk_test_simulator";

Deno.test("the program of docs/developers.md buys the figures of a day once, though its first answer is lost", async () => {
  const program =
    /^## Buy click figures[^]*?^```js file=buy\.mjs\n([^]*?)^```$/m.exec(DOC)
      ?.[1];
  assert(program !== undefined);
  const simulator = await startSimulator({
    hostname: "127.0.0.1",
    port: 0,
    booksPath: null,
    secretKey: SECRET_KEY,
    webhook: null,
    now: () => Date.now(),
    random: Math.random,
  });
  const folder = await Deno.makeTempDir({ prefix: "spotlight_doc_" });
  try {
    await using running = await runService({
      kv: await openKv(":memory:"),
      env: { STRIPE_SECRET_KEY: SECRET_KEY, STRIPE_API_BASE: simulator.url },
    });
    const { services, records } = running.service.core;
    await settle(services.store, spotlight("2026-11-19"));
    await records.refreshNow();
    const { baseUrl } = running.config.settings;
    const file = `${folder}/buy.mjs`;
    await using lossy = losingFirstAnswer(baseUrl);
    await Deno.writeTextFile(file, program.replaceAll("{base_url}", lossy.url));
    const printed = await runProgram(file, simulator.url);
    assertStringIncludes(printed, "200 {");
    assertStringIncludes(printed, '"reference":"pi_');
    assertEquals(lossy.paidStatuses, [200, 200]);
    const charges = simulator.control.objects("charge");
    assert(charges.length === 1 && charges[0]?.amount === 100);
  } finally {
    await simulator.stop();
    await Deno.remove(folder, { recursive: true });
  }
});

/** Stands before the service and loses the first answer to a payment. */
function losingFirstAnswer(target: string) {
  const paidStatuses: number[] = [];
  const server = Deno.serve({ port: 0, onListen: () => {} }, async (asked) => {
    const { pathname, search } = new URL(asked.url);
    const headers = new Headers(asked.headers);
    headers.delete("host");
    const answer = await fetch(target + pathname + search, { headers });
    const body = await answer.text();
    if (headers.has("authorization")) paidStatuses.push(answer.status);
    const isLost = headers.has("authorization") && paidStatuses.length === 1;
    return new Response(isLost ? brokenOff() : body, answer);
  });
  return {
    url: `http://localhost:${server.addr.port}`,
    paidStatuses,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** A body that ends in the middle, as of a connection that breaks. */
function brokenOff(): ReadableStream {
  return new ReadableStream({
    pull: (controller) => controller.error(new Error("cut")),
  });
}

async function runProgram(file: string, simulator: string): Promise<string> {
  const { code, stdout } = await runProcess({
    args: ["run", "-A", "--no-config", file, simulator],
    printed: () => true,
  });
  assert(code === 0, stdout);
  return stdout;
}
