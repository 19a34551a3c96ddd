import { assert, assertEquals, assertThrows } from "@std/assert";
import { COUNTERS, GAUGES } from "../adapters/telemetry/measures.ts";
import { ConfigError, parseConfig } from "../config/config.ts";
import { WANTED } from "../config/variables.ts";
import { ROOT } from "../tools/own_modules.ts";

const read = (name: string) => Deno.readTextFile(`${ROOT}packaging/${name}`);

const ENV = await read("spotlight.env.example");

/** What the sample sets, quotes taken off as systemd and shells do. */
function sampled(): Record<string, string> {
  const lines = ENV.matchAll(/^([A-Z_]+)=(?:"([^"]*)"|(\S*))$/gm);
  return Object.fromEntries(
    [...lines].map((
      [, name = "", quoted, bare],
    ) => [name, quoted ?? bare ?? ""]),
  );
}

Deno.test("the sample of the environment names every variable and no other", () => {
  const named = [...ENV.matchAll(/^#?([A-Z_]+)=/gm)].map(([, name]) => name);
  // The proxy's alone.
  const wanted = [...Object.keys(WANTED), "HOSTS"];
  assertEquals(named.toSorted(), wanted.toSorted());
});

Deno.test("the sample of the environment starts nothing until it is filled in, and says what is missing", () => {
  const error = assertThrows(() => parseConfig(sampled()), ConfigError);
  const empty = Object.entries(sampled()).filter(([, value]) => value === "")
    // Derived from SECRETS where it is not set.
    .map(([name]) => name).filter((name) => name !== "OPERATOR_KEY");
  assertEquals(empty.filter((name) => !error.message.includes(name)), []);
});

Deno.test("the sample of the environment starts the service once it is filled in", () => {
  const config = parseConfig({
    ...sampled(),
    SECRETS: "Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5",
    OPERATOR_KEY: "QWxhZGRpbjpvcGVuIHNlc2FtZSBmb3IgdGVzdCB4eXox",
    STRIPE_SECRET_KEY: "sk_live_4eC39HqLyjWDarjtT1zdp7dc",
    STRIPE_PUBLISHABLE_KEY: "pk_live_4eC39HqLyjWDarjtT1zdp7dc",
    STRIPE_WEBHOOK_SECRET: "whsec_4eC39HqLyjWDarjtT1zdp7dcAbCdEf",
    STRIPE_PROFILE_ID: "profile_4eC39HqLy",
    MAIL_URL: "smtps://user:password@mail.spotlight.dev",
    BASE_URL: "https://spotlight.dev",
    AUTH_URL: "https://auth.spotlight.dev",
    DOCS_MCP_URL: "https://docs.spotlight.dev/mcp",
    OPERATOR_EMAILS: "operator@spotlight.dev",
    SELLER_NAME: "Spotlight SIA",
    SELLER_ADDRESS: "Brivibas iela 1, Riga",
    SELLER_COUNTRY: "LV",
    SELLER_VAT_ID: "LV40203000001",
    SELLER_EMAIL: "billing@spotlight.dev",
  });
  assertEquals(config.trustedProxyHops, 1);
  assertEquals(config.port, 8000);
});

Deno.test("the images run as a user without rights, of pinned versions, and copy what is there", async () => {
  const image = await read("Dockerfile");
  const { version } = Deno;
  assert(image.includes(`FROM denoland/deno:${version.deno}\n`));
  for (const name of ["Dockerfile", "denokv.Dockerfile"]) {
    const text = await read(name);
    const steps = text.match(/^[A-Z]+ .*/gm) ?? [];
    assertEquals(steps.filter((step) => /^ADD |:latest|sudo/.test(step)), []);
    const last = steps.findLast((step) => step.startsWith("USER "));
    assert(last !== undefined && !/root|\b0\b/.test(last), name);
    assert(
      steps.at(-1)?.startsWith("CMD ["),
      `${name}: a command, not a shell`,
    );
    assertEquals(/^(ENV|ARG) .*(KEY|SECRET|TOKEN|PASS)/m.test(text), false);
  }
  assert(/^HEALTHCHECK /m.test(image));
  const cached = image.match(/tools\/\w+\.ts/g) ?? [];
  assert(cached.length >= 6);
  const shown = (await read("Dockerfile.dockerignore")).match(/^!.+/gm) ?? [];
  const copied = shown.map((line) => line.slice(1).replace(/\/$/, ""));
  for (const path of [...cached, ...copied]) await Deno.stat(ROOT + path);
  const imported = [...(await Deno.readTextFile(`${ROOT}main.ts`))
    .matchAll(/from "\.\/(\w+)\//g)].map(([, folder]) => folder ?? "");
  assertEquals(imported.filter((folder) => !copied.includes(folder)), []);
});

Deno.test("the unit signals the task alone, keeps its folder to itself and gives a stop its time", async () => {
  const unit = await read("spotlight.service");
  for (
    const line of [
      "KillMode=mixed",
      "StateDirectoryMode=0700",
      "NoNewPrivileges=yes",
      "ProtectSystem=strict",
      // Without the keys of pages the runtime is killed at its first step.
      "SystemCallFilter=@system-service @pkey",
      "ExecStart=/usr/local/bin/deno task start",
    ]
  ) assert(unit.split("\n").includes(line), line);
  const seconds = /^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1];
  assert(Number(seconds) > 10, "longer than requests in flight are waited for");
  assert(Number(/^LimitNOFILE=(\d+)$/m.exec(unit)?.[1]) >= 10_000);
});

Deno.test("the unit may write to the folder that the sample of the environment names for backups, and to no other", async () => {
  const unit = await read("spotlight.service");
  const place = /^#BACKUP_TO=(\/\S+)$/m.exec(ENV)?.[1];
  assert(place !== undefined);
  const writable = [...unit.matchAll(/^ReadWritePaths=(.*)$/gm)];
  // It need not be there.
  assertEquals(writable.map(([, path]) => path), [`-${place}`]);
});

Deno.test("the proxies keep the host, write one entry of X-Forwarded-For and hold no answer back", async () => {
  const nginx = await read("nginx.conf");
  assert(nginx.includes("proxy_set_header Host $host;"));
  assert(nginx.includes("X-Forwarded-For $proxy_add_x_forwarded_for;"));
  assert(nginx.includes("proxy_buffering off;"));
  const caddy = await read("Caddyfile");
  assert(caddy.includes("flush_interval -1"));
  assertEquals(caddy.includes("trusted_proxies"), false);
  assertEquals(sampled().TRUSTED_PROXY_HOPS, "1");
});

/** Our metrics as Prometheus names them. */
const METRICS = [
  ...Object.entries(GAUGES).map(([name, unit]) =>
    `${name}${unit === "s" ? "_seconds" : ""}`
  ),
  ...Object.keys(COUNTERS).map((name) => `${name}_total`),
  ...["bucket", "count"].map((part) =>
    `spotlight.request.duration_seconds_${part}`
  ),
].map((name) => name.replaceAll(".", "_"));

Deno.test("alert rules and the board ask for metrics that there are, and every alert is answered", async () => {
  const rules = await read("alert_rules.yaml");
  const board = await read("grafana_dashboard.json");
  for (const text of [rules, board]) {
    const asked = [...text.matchAll(/\bspotlight_\w+/g)].map(([name]) => name);
    assertEquals(asked.filter((name) => !METRICS.includes(name)), []);
    // Labels of Prometheus' own, which none of ours may be called by.
    assertEquals(
      /\b(job|instance)\b[^\w\n]*(\)|=|!~|=~|\}\})/.exec(text),
      null,
    );
  }
  const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const tried = await read("alert_rules_test.yaml");
  assertEquals(
    alerts.filter((name) => !tried.includes(`alertname: ${name}\n`)),
    [],
  );
  const page = await Deno.readTextFile(`${ROOT}docs/operations.md`);
  const answered = [...page.matchAll(/^#### (Spotlight\w+)$/gm)]
    .map(([, name]) => name);
  assertEquals(answered, alerts);
});

Deno.test("the operators' page lists every metric", async () => {
  const page = await Deno.readTextFile(`${ROOT}docs/operations.md`);
  const names = [...Object.keys(GAUGES), ...Object.keys(COUNTERS)];
  assertEquals(names.filter((name) => !page.includes(`| \`${name}\` |`)), []);
});
