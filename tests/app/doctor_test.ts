import { assertEquals, assertStringIncludes } from "@std/assert";
import { checkCertificate } from "../../adapters/machine/certificates.ts";
import { checkFolder } from "../../adapters/machine/folder.ts";
import { verifyLogin } from "../../adapters/mail/smtp_mailer.ts";
import {
  checkProcessor as lookAt,
  endpointFinding,
} from "../../adapters/stripe/check_endpoint.ts";
import { createStripeClient } from "../../adapters/stripe/stripe_client.ts";
import { examineOutside, logFindings } from "../../app/doctor.ts";
import { parseConfig } from "../../config/config.ts";
import { DAY_MS } from "../../domain/day.ts";
import { checkClock } from "../../domain/doctor/clock.ts";
import type { Finding } from "../../domain/doctor/finding.ts";
import { checkRegister } from "../../domain/doctor/register.ts";
import {
  checkBackups,
  checkHops,
  checkJobs,
  checkVersions,
  PRETENDED,
} from "../../domain/doctor/standing.ts";
import { SECRET_KEY, withSimulator } from "../simulators/stripe/support.ts";
import { MemoryLog } from "../support/captured_logs.ts";
import { TEST_ENVIRONMENT } from "../support/running_service.ts";
import { startSmtpServer } from "../support/smtp_server.ts";
import { TEST_TLS } from "../support/test_tls.ts";

const NOW_MS = Date.parse("2026-11-20T12:00:00Z");
const NEVER = new AbortController().signal;

const saysOf = ({ ok, says }: Finding) => [ok, says];

function configOf(env: Record<string, string>) {
  return parseConfig({ ...TEST_ENVIRONMENT, ...env });
}

function checkProcessor({ stripe }: ReturnType<typeof configOf>) {
  const at = { address: WEBHOOK.url, livemode: stripe.livemode };
  return lookAt(createStripeClient(stripe), at);
}

const WEBHOOK = {
  url: "http://localhost:0/webhooks/stripe",
  secret: "whsec_1",
};

Deno.test("checkProcessor() finds key and endpoint well", async () => {
  await withSimulator(async ({ sim }) => {
    const env = { STRIPE_API_BASE: sim.url, STRIPE_SECRET_KEY: SECRET_KEY };
    const { findings, dateMs } = await checkProcessor(configOf(env));
    assertEquals(findings.map(saysOf), [
      [true, "The processor takes the key, of test mode."],
      [true, `The endpoint at ${WEBHOOK.url} tells of every event.`],
    ]);
    assertEquals(Number.isFinite(dateMs), true);
  }, { webhook: WEBHOOK });
});

Deno.test("checkProcessor() says where an endpoint has to be made", async () => {
  await withSimulator(async ({ sim }) => {
    const env = { STRIPE_API_BASE: sim.url, STRIPE_SECRET_KEY: SECRET_KEY };
    const { findings } = await checkProcessor(configOf(env));
    assertEquals(findings.map(({ ok }) => ok), [true, false]);
    assertStringIncludes(findings[1]?.says ?? "", WEBHOOK.url);
  });
});

Deno.test("checkProcessor() tells a key that is unknown from a processor that does not answer", async () => {
  await withSimulator(async ({ sim }) => {
    const wrong = { STRIPE_API_BASE: sim.url, STRIPE_SECRET_KEY: "sk_test_x" };
    const { findings: [refused] } = await checkProcessor(configOf(wrong));
    assertStringIncludes(refused?.says ?? "", "does not know");
  });
  const away = { STRIPE_API_BASE: "http://localhost:9" };
  const { findings, dateMs } = await checkProcessor(configOf(away));
  assertEquals(findings.map(({ ok }) => ok), [false]);
  assertStringIncludes(findings[0]?.says ?? "", "does not answer");
  assertEquals(dateMs, null);
});

Deno.test("endpointFinding() names what an endpoint leaves out", () => {
  const url = WEBHOOK.url;
  const of = (status: string, enabled_events: string[]) =>
    saysOf(
      endpointFinding([{ url, status, enabled_events }], url, "live"),
    );
  const all = [
    "invoice.paid",
    "payment_intent.succeeded",
    "charge.dispute.created",
    "refund.failed",
    "identity.verification_session.verified",
    "setup_intent.succeeded",
    "checkout.session.completed",
    "transfer.created",
  ];
  assertEquals(of("enabled", all)[0], true);
  assertEquals(of("disabled", all)[0], false);
  assertEquals(of("enabled", all.slice(1)), [
    false,
    "The endpoint does not tell of events that begin with invoice.: add them.",
  ]);
  // The one of accounts that we pay is at the same address.
  const connected = {
    url,
    status: "enabled",
    enabled_events: ["account.updated"],
  };
  const own = { url, status: "enabled", enabled_events: all };
  for (const both of [[connected, own], [own, connected]]) {
    assertEquals(saysOf(endpointFinding(both, url, "live"))[0], true);
  }
  const alone = endpointFinding([connected], url, "live");
  assertEquals(saysOf(alone)[0], false);
});

Deno.test("verifyLogin() signs in over TLS and sends nothing", async () => {
  const login = { user: "spotlight", pass: "right" };
  await using server = await startSmtpServer({ tls: "implicit", login });
  const verify = (pass: string) =>
    verifyLogin({
      url: `smtps://spotlight:${pass}@localhost:${server.port}`,
      from: { name: "Spotlight", email: "billing@spotlight.example" },
      stopping: NEVER,
      ca: TEST_TLS.ca,
    });
  assertEquals(await verify("right"), null);
  assertEquals(await verify("wrong"), "it refuses user or password");
  assertEquals(server.mails, []);
});

Deno.test("verifyLogin() gives up on a server that hangs", async () => {
  await using server = await startSmtpServer({ replies: { connect: "hang" } });
  const why = await verifyLogin({
    url: `smtp://127.0.0.1:${server.port}`,
    from: { name: "Spotlight", email: "billing@spotlight.example" },
    stopping: NEVER,
    limits: {
      connectionMs: 2_000,
      greetingMs: 50,
      socketMs: 50,
      totalMs: 2_000,
    },
  });
  assertStringIncludes(why ?? "", "can't be reached");
});

Deno.test("checkClock() goes by the middle of what others say", () => {
  const at = (...offS: (number | null)[]) =>
    checkClock(offS.map((s) => s === null ? s : NOW_MS + s * 1_000), NOW_MS);
  assertEquals(saysOf(at(0, 1, 3_600)), [
    true,
    "It is 1 s from what others say.",
  ]);
  assertStringIncludes(at(-7_200, -7_201, 0).says, "7200 s ahead");
  assertStringIncludes(at(600, 601, 602).says, "601 s behind");
  assertEquals(at(0, null, 0).ok, false);
});

Deno.test("checkRegister() tells an unknown seller from a register that is away", async () => {
  const of = async (outcome: "valid" | "invalid" | "unknown") => {
    const check = () =>
      Promise.resolve({ outcome, consultation: null, name: null });
    return await checkRegister({ read: () => null, check }, "LV40000000000");
  };
  assertEquals((await of("valid")).ok, true);
  assertStringIncludes((await of("invalid")).says, "correct it");
  assertStringIncludes((await of("unknown")).says, "try again");
});

Deno.test("checkFolder() sees a store that others can read, and a folder that is not there", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/spotlight.sqlite3`;
    await Deno.writeTextFile(path, "rows", { mode: 0o600 });
    const [space, own] = await checkFolder(folder);
    assertEquals([space?.check, own?.ok], ["DATA_DIR", true]);
    await Deno.chmod(path, 0o644);
    const [, shared] = await checkFolder(folder);
    assertEquals(shared?.says, `Others can read it: chmod 600 ${path}*`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  const [gone] = await checkFolder(`${folder}/gone`);
  assertEquals(gone?.ok, false);
});

Deno.test("checkCertificate() sees the end of a real one, and says why another can't be verified", async () => {
  const { key, cert, ca } = TEST_TLS;
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, key, cert, onListen: () => {} },
    () => new Response("ok"),
  );
  const host = `localhost:${server.addr.port}`;
  const found = await checkCertificate(host, NOW_MS, ca);
  const end = /^It is good until (\S+)\.$/.exec(found.says)?.[1] ?? "";
  const endsMs = Date.parse(end);
  assertEquals(found.ok, true, found.says);
  const late = await checkCertificate(host, endsMs - DAY_MS, ca);
  assertEquals(late.says, `It ends at ${end}: see why it was not renewed.`);
  const unknown = await checkCertificate(host, NOW_MS);
  assertStringIncludes(unknown.says, "can't be verified");
  const nobody = await checkCertificate("localhost:9", NOW_MS, ca);
  assertStringIncludes(nobody.says, "ECONNREFUSED");
});

Deno.test("checkHops() counts the proxies behind an invented address", () => {
  const of = (trusted_proxy_hops: number, ...forwarded_for: string[]) =>
    checkHops({ trusted_proxy_hops, forwarded_for });
  assertEquals(of(1, PRETENDED, "203.0.113.9").ok, true);
  assertEquals(of(1, "203.0.113.9").ok, true, "a proxy that writes it anew");
  assertEquals(of(0, PRETENDED).ok, true);
  const many = of(1, PRETENDED, "203.0.113.9", "10.0.0.2");
  assertStringIncludes(many.says, "Set TRUSTED_PROXY_HOPS=2");
  assertStringIncludes(many.says, "all as one");
  const few = of(2, PRETENDED, "203.0.113.9");
  assertStringIncludes(few.says, "could choose the address");
});

Deno.test("jobs, backups and schema are told with what to do", () => {
  const lastSuccessAt = "2026-11-20T11:59:00.000Z";
  const job = { name: "back up store", lastSuccessAt, late: false };
  assertEquals(checkJobs([job]).ok, true);
  assertStringIncludes(checkJobs([{ ...job, late: true }]).says, job.name);
  assertEquals(checkBackups([job], true).ok, true);
  assertEquals(checkBackups([{ ...job, late: true }], true).ok, false);
  assertEquals(checkBackups([], true).ok, false);
  assertStringIncludes(checkBackups([job], false).says, "BACKUP_TO");
  assertEquals(checkVersions({ store: 5, service: 5 }).ok, true);
  assertEquals(checkVersions({ store: 4, service: 5 }).ok, false);
});

Deno.test("logFindings() logs what is missing and nothing else, and ends with the service", async () => {
  await withSimulator(async ({ sim }) => {
    const env = { STRIPE_API_BASE: sim.url, STRIPE_SECRET_KEY: SECRET_KEY };
    const config = configOf(env);
    const log = new MemoryLog();
    const clock = { now: () => NOW_MS };
    const examining = { config, stopping: NEVER, clock };
    const findings = await examineOutside(examining);
    assertEquals(findings.filter(({ ok }) => !ok).length, 1);
    await logFindings({ log, ...examining });
    const troubles = findings.filter(({ ok }) => !ok)
      .map(({ check, says }) => ({ event: "doctor.trouble", check, says }));
    assertEquals(log.lines.map((line) => JSON.parse(line)), troubles);
    await logFindings({
      log,
      ...examining,
      stopping: AbortSignal.abort(),
    });
    assertEquals(log.events.length, 1);
  });
});
