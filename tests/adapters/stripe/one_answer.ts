import type { Processor } from "../../../domain/payments/processor.ts";
import { createStripeClient } from "../../../adapters/stripe/stripe_client.ts";
import { createStripeProcessor } from "../../../adapters/stripe/stripe_processor.ts";

/** What was asked over the wire. */
export interface Asked {
  method: string;
  path: string;
  key: string | null;
  form: Record<string, string>;
}

/** A processor of one answer, which writes down what it is asked. */
export class OneAnswer implements AsyncDisposable {
  readonly asked: Asked[] = [];
  /** The version of the API each call asked for. */
  readonly versions: (string | null)[] = [];
  readonly processor: Processor;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(status: number, body: unknown) {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const onListen = () => {};
    const options = { hostname: "127.0.0.1", port: 0, onListen };
    this.#server = Deno.serve(options, async (request) => {
      const { pathname } = new URL(request.url);
      this.asked.push({
        method: request.method,
        path: pathname,
        key: request.headers.get("idempotency-key"),
        form: Object.fromEntries(new URLSearchParams(await request.text())),
      });
      this.versions.push(request.headers.get("stripe-version"));
      const headers = { "content-type": "application/json" };
      return new Response(text, { status, headers });
    });
    const { port } = this.#server.addr;
    this.processor = createStripeProcessor(createStripeClient({
      secretKey: "sk_test_one_answer",
      apiBase: `http://127.0.0.1:${port}`,
    }));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}
