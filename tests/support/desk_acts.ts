import { assert, assertEquals } from "@std/assert";
import type { Processor } from "../../domain/payments/processor.ts";
import type { SignedInBrowser } from "./advertiser_site.ts";

/** What a page that asks once sends with its form. */
export async function askedToken(answer: Response): Promise<string> {
  assertEquals(answer.status, 200);
  const html = await answer.text();
  const [, token] = /name="token" value="([\w-]{43})"/.exec(html) ?? [];
  assert(token !== undefined, "the page asks");
  return token;
}

/** Sends a form of the desk, and again from the page that asks. */
export async function actAtDesk(
  desk: SignedInBrowser,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  const token = await askedToken(
    await desk.post(path, new URLSearchParams(fields)),
  );
  const meant = { ...fields, confirmed: "yes", token };
  return await desk.post(path, new URLSearchParams(meant));
}

/** A processor that knows any dispute, of a payment of none of ours. */
export function processorWithDispute(asked: string[] = []): Processor {
  const found = { paymentId: null, amountCents: 5_000, state: "lost" };
  return {
    retrieveDispute(id: string) {
      asked.push(id);
      return Promise.resolve({ ok: true, value: { ...found, id } });
    },
  } as unknown as Processor;
}
