import { assert, assertEquals, assertRejects } from "@std/assert";
import { ProcessorUncertain } from "../../../domain/failure.ts";
import { download } from "../../../adapters/stripe/download.ts";
import { createStripeClient } from "../../../adapters/stripe/stripe_client.ts";
// Loaded before the first download, whose time is limited.
import "../../../simulators/stripe/pdf.ts";
import { portOf, valueOf, withProcessor } from "./desk.ts";
import { linesOf } from "../../simulators/stripe/pdf_text.ts";
import { draftOver, openOver, payer } from "../../simulators/stripe/support.ts";

/** A server of one answer, and a client that may ask it. */
async function withServer(
  answer: (request: Request) => Response | Promise<Response>,
  run: (
    get: (path: string, maxBytes?: number) => ReturnType<typeof download>,
    origin: string,
  ) => Promise<void>,
  timeoutMs?: number,
): Promise<void> {
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  await using server = Deno.serve(options, answer);
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const stripe = createStripeClient({
    secretKey: "sk_test_download",
    apiBase: origin,
    ...(timeoutMs === undefined ? {} : { downloadTimeoutMs: timeoutMs }),
  });
  await run(
    (path, maxBytes = 1_000) =>
      download(stripe, new URL(path, origin).href, maxBytes),
    origin,
  );
}

Deno.test("downloadInvoicePdf() gives the printed invoice, up to a size", () =>
  withProcessor(async ({ processor, stripe, sim }) => {
    const { customer } = await payer(stripe);
    const { id } = await openOver(stripe, customer, 500);
    const bytes = valueOf(await processor.downloadInvoicePdf(id, 100_000));
    assertEquals((await linesOf(bytes))[0], "Invoice SIM-0001");
    sim.control.invoicePaddingBytes = 900_000;
    const large = valueOf(await processor.downloadInvoicePdf(id, 2_000_000));
    assert(large.length > 900_000);
    const refused = await processor.downloadInvoicePdf(id, 900_000);
    assertEquals(refused.ok || refused.code, "file_too_large");
  }));

Deno.test("downloadInvoicePdf() refuses a draft, which is not printed yet", () =>
  withProcessor(async ({ processor, stripe }) => {
    const { customer } = await payer(stripe);
    const { id } = await draftOver(stripe, customer, 500);
    const refused = await processor.downloadInvoicePdf(id, 100_000);
    assertEquals(refused.ok || refused.code, "file_missing");
    const unknown = await processor.downloadInvoicePdf("in_none", 100_000);
    assertEquals(unknown.ok || unknown.code, "resource_missing");
  }));

for (
  const kind of [
    "error_before_effect",
    "rate_limit",
    "reset_after_effect",
    "reset_before_effect",
    "timeout_after_effect",
  ] as const
) {
  Deno.test(`a download that meets ${kind} may be asked for again`, () =>
    withProcessor(async (desk) => {
      const { customer } = await payer(desk.stripe);
      const { id } = await openOver(desk.stripe, customer, 500);
      const limit = kind === "timeout_after_effect" ? 250 : undefined;
      const processor = portOf(desk, limit);
      desk.sim.control.addFault({ kind, path: "/invoice/**" });
      const get = () => processor.downloadInvoicePdf(id, 100_000);
      await assertRejects(get, ProcessorUncertain);
      assertEquals((await get()).ok, true);
    }));
}

Deno.test("a download follows redirects, a bounded number", () =>
  withServer((request) => {
    const at = Number(new URL(request.url).pathname.slice(1));
    if (at === 0) return new Response("here");
    const location = `/${at - 1}`;
    return new Response(null, { status: 302, headers: { location } });
  }, async (get) => {
    assertEquals(new TextDecoder().decode(valueOf(await get("/5"))), "here");
    await assertRejects(() => get("/6"), ProcessorUncertain);
  }));

Deno.test("a download asks no address but https, not even when sent there", async () => {
  let asked = 0;
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
  await using other = Deno.serve(options, () => {
    asked += 1;
    return new Response("secret");
  });
  const elsewhere = `http://127.0.0.1:${other.addr.port}/`;
  await withServer(
    () => new Response(null, { status: 302, headers: { location: elsewhere } }),
    async (get) => {
      const addresses = [
        "/",
        elsewhere,
        "file:///etc/hostname",
        "data:text/plain,hello",
        "ftp://example.com/",
      ];
      for (const address of addresses) {
        const refused = await get(address);
        assertEquals(refused.ok || refused.code, "address_refused", address);
      }
    },
  );
  assertEquals(asked, 0);
});

Deno.test("a client of the processor itself asks no plain http at all", async () => {
  const stripe = createStripeClient({ secretKey: "sk_live_1", apiBase: null });
  const refused = await download(stripe, "http://api.stripe.com/", 1_000);
  assertEquals(refused.ok || refused.code, "address_refused");
});

Deno.test("a download stops reading where the size is reached", async () => {
  let sent = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sent += 1;
      controller.enqueue(new Uint8Array(64));
    },
  });
  await withServer(() => new Response(endless), async (get) => {
    const refused = await get("/", 1_000);
    assertEquals(refused.ok || refused.code, "file_too_large");
  });
  assert(sent < 100_000, `${sent} parts were sent`);
});

Deno.test("a download that comes too slowly is given up", async () => {
  const slow = new ReadableStream({
    start: (controller) => controller.enqueue(new Uint8Array(10)),
  });
  await withServer(() => new Response(slow), async (get) => {
    await assertRejects(() => get("/"), ProcessorUncertain);
  }, 100);
});

Deno.test("a download takes no other status for the file", () =>
  withServer((request) => {
    const status = Number(new URL(request.url).pathname.slice(1));
    return new Response(status === 204 ? null : "nothing", { status });
  }, async (get) => {
    for (const status of [204, 403, 404, 410, 500, 503]) {
      await assertRejects(() => get(`/${status}`), ProcessorUncertain);
    }
  }));
