/** Traces and metrics, as a collector is sent them by `deno task start`. */
import { assertEquals } from "@std/assert";
import { COUNTERS, GAUGES } from "../../adapters/telemetry/measures.ts";
import { DUE_WORK } from "../../domain/ports.ts";
import { PRODUCTION } from "../support/environments.ts";
import { rawRequest, rawStatus, sendRaw } from "../support/raw_http.ts";
import { freePort } from "../support/free_port.ts";
import { startByTask } from "../support/start_task.ts";
import { eventPayload, signatureOf } from "../support/stripe_event.ts";
import { TEST_TLS } from "../support/test_tls.ts";
import { until } from "../support/until.ts";

/** A part of a message of OTLP, as JSON: what is read of it here. */
interface Otlp {
  resourceSpans?: { scopeSpans: { spans: Span[] }[] }[];
  resourceMetrics?: { scopeMetrics: { metrics: Metric[] }[] }[];
}

interface Attribute {
  key: string;
  value: { stringValue?: string };
}

interface Span {
  name: string;
  attributes: Attribute[];
}

interface Point {
  attributes: Attribute[];
}

interface Metric {
  name: string;
  gauge?: { dataPoints: Point[] };
  sum?: { dataPoints: Point[] };
  histogram?: { dataPoints: Point[] };
}

/** A collector that keeps all it is sent. */
function startCollector() {
  const texts: string[] = [];
  const sent: Otlp[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request) => {
      const text = await request.text();
      texts.push(text);
      sent.push(JSON.parse(text));
      return Response.json({});
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    text: () => texts.join("\n"),
    spans: () =>
      sent.flatMap(({ resourceSpans = [] }) =>
        resourceSpans.flatMap(({ scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) => spans)
        )
      ),
    /** What was measured under a name, by the values of one attribute. */
    values: (name: string, attribute: string) =>
      new Set(
        sent.flatMap(({ resourceMetrics = [] }) =>
          resourceMetrics.flatMap(({ scopeMetrics }) =>
            scopeMetrics.flatMap(({ metrics }) =>
              metrics.filter((metric) => metric.name === name)
                .flatMap(({ gauge, sum, histogram }) =>
                  (gauge ?? sum ?? histogram)?.dataPoints ?? []
                ).map((point) => valueOf(point, attribute))
            )
          )
        ),
      ),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function valueOf({ attributes }: Point, key: string): string {
  const found = attributes.find((attribute) => attribute.key === key);
  return found?.value.stringValue ?? "";
}

/** Starts the service as in production, joined to a collector. */
function startObserved(folder: string, collector: string) {
  const port = freePort();
  const process = startByTask({
    ...PRODUCTION as Record<string, string>,
    DENO_DEPLOY: "",
    TRUSTED_PROXY_HOPS: "1",
    PORT: String(port),
    DATA_DIR: folder,
    DENO_CERT: `${folder}/ca.pem`,
    OTEL_DENO: "true",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_METRIC_EXPORT_INTERVAL: "4000",
    OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: "1",
  });
  return { process, port };
}

Deno.test("a collector is sent spans by route, store, processor and job, and every metric, without what requests say", async () => {
  const folder = await Deno.makeTempDir({ prefix: "spotlight_otel_" });
  await Deno.writeTextFile(`${folder}/ca.pem`, TEST_TLS.ca);
  await using collector = startCollector();
  {
    const { process, port } = startObserved(folder, collector.url);
    await using _ended = process;
    await process.line((line) => line.includes(`"event":"started"`));
    await askWithSecret(port);
    await tellOfDispute(port);
    const names = () => new Set(collector.spans().map(({ name }) => name));
    const wanted = [
      "GET /spotlights/:day",
      "store.commit",
      "store.getMany",
      "job advance auctions",
      "processor.retrieveDispute",
    ];
    await until(() => wanted.every((name) => names().has(name)));
    for (const name of [...Object.keys(GAUGES), ...Object.keys(COUNTERS)]) {
      await until(() => collector.values(name, "none").size > 0);
    }
    await until(() =>
      collector.values("spotlight.request.duration", "route")
        .has("/spotlights/:day")
    );
    assertEquals(
      collector.values("spotlight.queue.age", "queue"),
      new Set<string>(DUE_WORK),
    );
    await until(() =>
      collector.values("spotlight.job.age", "job_name").has("advance auctions")
    );
    await until(() =>
      collector.values("spotlight.events", "event").has("started")
    );
    process.kill("SIGTERM");
    await process.ended;
  }
  const told = collector.text();
  const at = told.indexOf(SECRET);
  assertEquals(at < 0 ? "" : told.slice(at - 900, at + 900), "");
  await Deno.remove(folder, { recursive: true });
});

/** Stands in the query, in a header and in the name of a page that is not there. */
const SECRET = "vierundzwanzig";

async function askWithSecret(port: number): Promise<void> {
  const headers = [
    `Host: ${new URL(PRODUCTION.BASE_URL ?? "").host}`,
    `Cookie: a=${SECRET}`,
  ];
  for (const path of ["/spotlights/2026-01-01", `/${SECRET}`]) {
    await sendRaw(port, rawRequest(`${path}?code=${SECRET}`, headers));
  }
}

/** Has the service ask the processor, which cannot be reached with this key. */
async function tellOfDispute(port: number): Promise<void> {
  const event = eventPayload("charge.dispute.created", { livemode: true });
  const body = JSON.stringify(event);
  const secret = PRODUCTION.STRIPE_WEBHOOK_SECRET ?? "";
  const headers = [
    `Host: ${new URL(PRODUCTION.AUTH_URL ?? "").host}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    `Stripe-Signature: ${await signatureOf(body, secret, Date.now())}`,
  ];
  const asked = rawRequest("/webhooks/stripe", headers, "POST") + body;
  assertEquals(rawStatus(await sendRaw(port, asked)), 200);
}
