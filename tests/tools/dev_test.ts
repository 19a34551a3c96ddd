import { assert, assertEquals } from "@std/assert";
import { SCOPES } from "../../domain/oauth/grant.ts";
import { SIMULATOR_DEFAULTS } from "../../config/variables.ts";
import { createStripeClient } from "../../adapters/stripe/stripe_client.ts";
import type { DevFile } from "../../tools/dev_file.ts";
import { DevFolder } from "./dev_service.ts";

/** What dev promises on a machine of its own; tests run side by side. */
const READY_WITHIN_MS = 3_000;
const PATIENCE = 3;

const MEMBERS = [
  "base_url",
  "auth_url",
  "docs_mcp_url",
  "processor_url",
  "outbox_url",
  "accounts",
];
const ACCOUNT_MEMBERS = [
  "email",
  "access_token",
  "ad_id",
  "payment_method_id",
  "scopes",
  "mandate",
];

async function statusOf(url: string, token?: string): Promise<number> {
  const response = await fetch(url, {
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  await response.body?.cancel();
  return response.status;
}

Deno.test("dev tells in dev.json of a whole service that answers", async (t) => {
  await using folder = await DevFolder.make();
  const file = await folder.start();
  await t.step("dev is ready in its time from an empty folder", () => {
    assert(
      folder.readyMs < READY_WITHIN_MS * PATIENCE,
      `ready after ${Math.round(folder.readyMs)} ms`,
    );
  });

  await t.step("dev.json is for its owner only", async () => {
    const { mode } = await Deno.stat(`${folder.dataDir}/dev.json`);
    assertEquals((mode ?? 0) & 0o077, 0);
  });
  await stepsOfContract(t, file);
  await t.step(
    "an agent reads the same token after the service was killed",
    async () => {
      await folder.stop("SIGKILL");
      const again = await folder.start();
      const [before, after] = [file.accounts[0], again.accounts[0]];
      assert(before && after);
      const me = `${again.auth_url}/v1/agent/me`;
      assertEquals(await statusOf(me, before.access_token), 200);
      assertEquals(await statusOf(me, after.access_token), 200);
    },
  );

  await t.step("dev stops in order and takes dev.json away", async () => {
    assertEquals(await folder.stop("SIGTERM"), 0);
    assertEquals(await folder.devFile(), null);
  });
});

Deno.test("dev that is stopped while it fills its store ends in order", async () => {
  await using folder = await DevFolder.make();
  assertEquals(await folder.startAndStop(), 0);
  assertEquals(await folder.devFile(), null);
  // What was filled in part is completed, or was left empty.
  const { accounts } = await folder.start();
  assert(accounts.length >= 2);
});

async function stepsOfContract(
  t: Deno.TestContext,
  file: DevFile,
): Promise<void> {
  await t.step("dev.json has the members of the contract", () => {
    assertEquals(Object.keys(file), MEMBERS);
    assertEquals(file.outbox_url, `${file.base_url}/dev/outbox`);
    assert(file.accounts.length >= 2);
    for (const account of file.accounts) {
      assertEquals(Object.keys(account), ACCOUNT_MEMBERS);
      assertEquals(account.scopes, SCOPES);
      assertEquals(Object.keys(account.mandate), [
        "max_bid_cents",
        "daily_cap_cents",
        "valid_until",
      ]);
      assert(Date.parse(account.mandate.valid_until) > Date.now());
    }
  });

  await t.step("every address in dev.json answers", async () => {
    const { base_url, auth_url, docs_mcp_url, processor_url } = file;
    for (const address of [base_url, auth_url, docs_mcp_url]) {
      assertEquals(await statusOf(`${new URL(address).origin}/readyz`), 200);
    }
    assertEquals(await statusOf(file.outbox_url), 200);
    // The processor is there, and asks who is asking.
    assertEquals(await statusOf(`${processor_url}/v1/customers`), 401);
  });

  await t.step("the service takes what the processor tells", async () => {
    const stripe = createStripeClient({
      secretKey: SIMULATOR_DEFAULTS.STRIPE_SECRET_KEY,
      apiBase: file.processor_url,
    });
    const { id } = await stripe.customers.create({});
    const delivered = async () => {
      const { data } = await stripe.events.list({ delivery_success: true });
      return data.map(({ data: { object } }) => (object as { id: string }).id);
    };
    const until = Date.now() + 10_000;
    while (!(await delivered()).includes(id)) assert(Date.now() < until);
  });

  await t.step("every account in dev.json is ready to bid today", async () => {
    const day = new Date().toISOString().slice(0, 10);
    for (const { access_token, ad_id } of file.accounts) {
      const query = new URLSearchParams({ day, ad_id, amount_cents: "2500" });
      const response = await fetch(`${file.auth_url}/v1/agent/me?${query}`, {
        headers: { authorization: `Bearer ${access_token}` },
      });
      const { eligibility, first_bid } = await response.json();
      assertEquals(eligibility.can_bid, true);
      const blocked = first_bid.requirements.filter(
        ({ status }: { status: string }) => status !== "satisfied",
      ).map(({ id }: { id: string }) => id);
      // In the last minutes of the day its auction is over.
      if (blocked.join() !== "auction") assertEquals(blocked, []);
    }
  });
}

Deno.test("dev leaves a service that runs on its ports alone", async () => {
  await using folder = await DevFolder.make();
  const file = await folder.start();
  for (
    const [name, address] of [
      ["STRIPE_API_BASE", file.processor_url],
      ["BASE_URL", file.base_url],
      ["AUTH_URL", file.auth_url],
    ] as const
  ) {
    await using second = await DevFolder.make({ [name]: address });
    const { code, stderr } = await second.run("dev", []);
    assertEquals([code, stderr], [
      1,
      `Cannot start: port ${new URL(address).port} is taken, perhaps by a ` +
      "service that runs already\n",
    ]);
  }
  assertEquals(await folder.devFile(), file);
});

Deno.test("dev leaves the folder of a service that runs alone", async () => {
  await using folder = await DevFolder.make();
  const file = await folder.start();
  const books = `${folder.dataDir}/processor.jsonl`;
  const before = await Deno.readTextFile(books);
  // Free ports of its own, the same DATA_DIR.
  const { code, stderr } = await folder.run("dev", []);
  assertEquals([code, stderr], [
    1,
    "Cannot start: another development service keeps its data in " +
    `${folder.dataDir}\n`,
  ]);
  assertEquals(await folder.devFile(), file);
  assertEquals(await Deno.readTextFile(books), before);
  assertEquals(await statusOf(`${file.base_url}/readyz`), 200);
});

Deno.test("dev refuses to run outside development", async () => {
  await using folder = await DevFolder.make({ ENVIRONMENT: "production" });
  const { code, stderr } = await folder.run("dev", []);
  assertEquals(code, 1);
  assert(stderr.startsWith("Cannot start: "), stderr);
});
