import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  FetchBusy,
  type Fetched,
  type Fetcher,
  FetchRefused,
} from "../../../domain/fetching/fetcher.ts";
import { createFetcher } from "../../../adapters/fetcher/create_fetcher.ts";
import { startViesSimulator } from "../../../simulators/vies/simulator.ts";
import {
  VIES_ADDRESS,
  viesRegistry,
} from "../../../adapters/vies/vies_registry.ts";
import { MemoryLog } from "../../support/captured_logs.ts";

/** The registry over real HTTP to the simulator. */
async function openRegistry(requesterVatId = "LV00000000000") {
  const simulator = await startViesSimulator();
  const log = new MemoryLog();
  const fetcher = createFetcher({
    userAgent: "Spotlight",
    allowLoopback: true,
    log,
    stopping: new AbortController().signal,
  });
  const { address } = simulator;
  return {
    registry: viesRegistry({ fetcher, log, address, requesterVatId }),
    fetcher,
    address,
    log,
    [Symbol.asyncDispose]: () => simulator.close(),
  };
}

/** A registry that answers this, whatever it is asked. */
function registryThat(answers: Partial<Fetched>) {
  const asked: { url: string; body: unknown }[] = [];
  const log = new MemoryLog();
  const fetcher: Pick<Fetcher, "postJson"> = {
    postJson(url, body) {
      asked.push({ url, body });
      return Promise.resolve({
        status: 200,
        contentType: "application/json",
        body: "{}",
        maxAgeS: null,
        ...answers,
      });
    },
  };
  const registry = viesRegistry({
    fetcher,
    log,
    address: VIES_ADDRESS,
    requesterVatId: "LV40990000017",
  });
  return { registry, asked, log };
}

Deno.test("the registry says yes with a consultation number", async () => {
  await using world = await openRegistry();
  const first = await world.registry.check("DE123456789");
  const second = await world.registry.check("EL123456789");
  assertEquals(first, {
    outcome: "valid",
    consultation: "WAPIAAAA00000001",
    name: null,
  });
  assertEquals(second, {
    outcome: "valid",
    consultation: "WAPIAAAA00000002",
    name: null,
  });
  assertEquals(world.log.lines, []);
});

Deno.test("the registry says no", async () => {
  await using world = await openRegistry();
  const { outcome } = await world.registry.check("DE123456200");
  assertEquals(outcome, "invalid");
});

const ERRORS: [string, string][] = [
  ["201", "INVALID_INPUT"],
  ["202", "INVALID_REQUESTER_INFO"],
  ["300", "SERVICE_UNAVAILABLE"],
  ["301", "MS_UNAVAILABLE"],
  ["302", "TIMEOUT"],
  ["400", "VAT_BLOCKED"],
  ["401", "IP_BLOCKED"],
  ["500", "GLOBAL_MAX_CONCURRENT_REQ"],
  ["501", "GLOBAL_MAX_CONCURRENT_REQ_TIME"],
  ["600", "MS_MAX_CONCURRENT_REQ"],
  ["601", "MS_MAX_CONCURRENT_REQ_TIME"],
];
for (const [ending, why] of ERRORS) {
  Deno.test(`the registry takes ${why} for unknown`, async () => {
    await using world = await openRegistry();
    const { log } = world;
    const errors: string[] = [];
    log.error = (event, fields) => {
      errors.push(why);
      log.info(event, fields);
    };
    const answer = await world.registry.check(`DE123456${ending}`);
    assertEquals(answer, {
      outcome: "unknown",
      consultation: null,
      name: null,
    });
    const { event, why: logged } = JSON.parse(world.log.lines[0] ?? "{}");
    assertEquals([event, logged], ["vies.failed", why]);
    // A person mends our own id; all else is asked again by itself.
    assertEquals(errors, why === "INVALID_REQUESTER_INFO" ? [why] : []);
  });
}

Deno.test("the registry takes a number the API does not read for unknown", async () => {
  await using world = await openRegistry();
  assertEquals((await world.registry.check("DE!")).outcome, "unknown");
});

Deno.test("the registry takes an outage for unknown", async () => {
  const world = await openRegistry();
  await world[Symbol.asyncDispose]();
  const answer = await world.registry.check("DE123456789");
  assertEquals(answer, { outcome: "unknown", consultation: null, name: null });
});

Deno.test("the registry names itself and the country as VIES knows it", async () => {
  const { registry, asked } = registryThat({});
  await registry.check("EL123456789");
  assertEquals(asked, [{
    url: "https://ec.europa.eu/taxation_customs/vies/rest-api/check-vat-number",
    body: {
      countryCode: "EL",
      vatNumber: "123456789",
      requesterMemberStateCode: "LV",
      requesterNumber: "40990000017",
    },
  }]);
});

const YES = { countryCode: "DE", vatNumber: "123456789", valid: true };
const NO_ANSWERS: [string, Partial<Fetched>][] = [
  ["no JSON", { body: "<html>" }],
  ["null", { body: "null" }],
  ["nothing of use", { body: '{"valid":"yes"}' }],
  ["another number", { body: JSON.stringify({ ...YES, vatNumber: "1" }) }],
  ["another country", { body: JSON.stringify({ ...YES, countryCode: "AT" }) }],
  ["a yes with an error status", { status: 500, body: JSON.stringify(YES) }],
  [
    "a no with an error status",
    { status: 503, body: JSON.stringify({ ...YES, valid: false }) },
  ],
  [
    "an error with status 200",
    { body: '{"actionSucceed":false,"errorWrappers":[{"error":"TIMEOUT"}]}' },
  ],
];
for (const [what, answer] of NO_ANSWERS) {
  Deno.test(`the registry takes ${what} for unknown`, async () => {
    const { registry, log } = registryThat(answer);
    const { outcome } = await registry.check("DE123456789");
    assertEquals([outcome, log.lines.length], ["unknown", 1]);
  });
}

for (const requestIdentifier of ["", null, undefined]) {
  Deno.test(`the registry has no consultation number in ${requestIdentifier}`, async () => {
    const body = JSON.stringify({ ...YES, requestIdentifier });
    const { registry } = registryThat({ body });
    assertEquals(await registry.check("DE123456789"), {
      outcome: "valid",
      consultation: null,
      name: null,
    });
  });
}

Deno.test("the registry logs no word that is not the API's", async () => {
  const error = "Number DE123456789 of Ada";
  const { registry, log } = registryThat({
    body: JSON.stringify({ errorWrappers: [{ error }] }),
  });
  await registry.check("DE123456789");
  assertEquals(log.lines, [
    '{"event":"vies.failed","why":"unreadable","status":200}',
  ]);
});

Deno.test("the registry throws what is no outage", async () => {
  const registry = viesRegistry({
    fetcher: { postJson: () => Promise.reject(new TypeError("a bug")) },
    log: new MemoryLog(),
    address: VIES_ADDRESS,
    requesterVatId: "LV40990000017",
  });
  await assertRejects(() => registry.check("DE123456789"), TypeError);
});

Deno.test("a fetcher that is busy makes the registry's answer unknown, to be asked for soon and no failure", async () => {
  const log = new MemoryLog();
  const registry = viesRegistry({
    fetcher: { postJson: () => Promise.reject(new FetchBusy(1)) },
    log,
    address: "https://registry.example",
    requesterVatId: "LV40003000000",
  });
  const { outcome, retryAfterMs } = await registry.check("DE123456789");
  assertEquals([outcome, retryAfterMs], ["unknown", 1_000]);
  assert(log.lines[0]?.includes("busy"));
});

Deno.test("the simulator answers JSON to what it does not know", async () => {
  await using world = await openRegistry();
  const root = world.address.slice(0, world.address.indexOf("/", 8));
  const policy = { maxBytes: 1_000, timeoutMs: 2_000, accept: "*/*" };
  const { status } = await world.fetcher.postJson(`${root}/other`, {}, policy);
  assertEquals(status, 404);
  const long = { countryCode: "D".repeat(10_000) };
  const answer = await world.fetcher.postJson(
    `${world.address}/check-vat-number`,
    long,
    policy,
  ).catch((error) => error);
  const refused = answer instanceof FetchRefused || answer.status === 400;
  assertEquals(refused, true);
});

Deno.test("the simulator gives a number only to who names itself", async () => {
  await using world = await openRegistry("");
  const { consultation } = await world.registry.check("DE123456789");
  assertEquals(consultation, null);
});
