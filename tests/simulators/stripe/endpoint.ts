/**
 * A webhook endpoint for the simulator's tests.
 *
 * @module
 */
import { type Bench, withSimulator } from "./support.ts";

/** The endpoint's secret. */
export const SECRET = "whsec_simulator";

/** A webhook endpoint that keeps what it gets. */
export class Endpoint {
  readonly got: { type: string; id: string }[] = [];
  readonly raw: { body: string; signature: string }[] = [];
  answer = 200;
  /** Most requests that were under way at once. */
  most = 0;
  #underWay = 0;
  #server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: () => {},
  }, async (request) => {
    this.#underWay += 1;
    this.most = Math.max(this.most, this.#underWay);
    const body = await request.text();
    const signature = request.headers.get("stripe-signature") ?? "";
    this.raw.push({ body, signature });
    const { type, id } = JSON.parse(body);
    this.got.push({ type, id });
    await this.pause();
    this.#underWay -= 1;
    return new Response(null, { status: this.answer });
  });

  /** What happens before an answer; nothing unless set. */
  pause: () => Promise<void> = () => Promise.resolve();

  /** Where it listens. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}/webhooks`;
  }

  /** The types of what it got, in order. */
  get types(): string[] {
    return this.got.map(({ type }) => type);
  }

  /** Closes it. */
  async stop(): Promise<void> {
    await this.#server.shutdown();
  }
}

/** Runs a test against a simulator that sends its events to an endpoint. */
export async function withEndpoint(
  run: (bench: Bench & { endpoint: Endpoint }) => Promise<void>,
  options: Parameters<typeof withSimulator>[1] = {},
): Promise<void> {
  const endpoint = new Endpoint();
  const webhook = { url: endpoint.url, secret: SECRET };
  try {
    await withSimulator(
      (bench) => run(Object.assign(bench, { endpoint })),
      { webhook, ...options },
    );
  } finally {
    await endpoint.stop();
  }
}
