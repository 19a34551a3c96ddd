/**
 * A processor of our own: a server that speaks the Stripe API over HTTP well
 * enough for the real SDK, keeps its books through a crash, and can be told
 * to fail in every way a processor fails.
 *
 * @module
 */

import { NO_FEES, type Seller, SIMULATED_SELLER } from "./account.ts";
import { Api } from "./api.ts";
import { Books } from "./books.ts";
import { Control } from "./control.ts";
import { answerControl, CONTROL_PREFIX } from "./control_http.ts";
import { answerDownload, isDownload } from "./downloads.ts";
import { Desk } from "./desk.ts";
import { Faults } from "./faults.ts";
import { answerHosted } from "./hosted/mod.ts";
import { HOSTED_PREFIX } from "./hosted_page.ts";
import { rebase } from "./rebase.ts";
import { RequestLog } from "./request_log.ts";
import { router } from "./routes.ts";
import { type Handle, listen, type Listener } from "./server.ts";
import { type Schedule, scheduleForReal } from "./timers.ts";
import { type Travel, WebhookSender, type WebhookTarget } from "./webhooks.ts";

export type { Fees, Seller } from "./account.ts";
export type { Control, CustomerSummary, StateSummary } from "./control.ts";
export type { Fault, FaultKind, FaultOrder } from "./faults.ts";
export type { LoggedRequest } from "./request_log.ts";
export type { Schedule } from "./timers.ts";
export type {
  WebhookFaults,
  WebhookSender,
  WebhookTarget,
} from "./webhooks.ts";
export type { WireOutcome, WireRequest } from "./wire.ts";
import { textAnswer, type WireOutcome } from "./wire.ts";
export type * from "./objects.ts";

/** How a simulator is set up. */
export interface SimulatorOptions {
  /** The address to listen on. */
  hostname: string;
  /** The port to listen on; 0 takes a free one. */
  port: number;
  /** File of the books, or `null` to keep them in memory alone. */
  booksPath: string | null;
  /** The key callers must present, `sk_test_…`. */
  secretKey: string;
  /** Where events are sent, or `null`. */
  webhook: WebhookTarget | null;
  /** Who sells, as invoices show it; a made-up seller unless given. */
  seller?: Seller;
  /** The time, epoch milliseconds. */
  now: () => number;
  /** Numbers from 0 up to but not 1. */
  random: () => number;
  /** Runs something later; the system's timers unless given. */
  schedule?: Schedule;
  /** How events travel to the endpoint; over the network unless given. */
  travel?: Travel;
  /** Told of what went wrong, a line each; nobody unless given. */
  log?: (line: string) => void;
}

/** A simulator under way. */
export interface Simulator {
  /** Its address, without a slash at the end. */
  url: string;
  /** The port it listens on. */
  port: number;
  /** What the port answers requests with, for whoever is in its process. */
  handle: Handle;
  /** Faults, inspection and webhooks. */
  control: Control;
  /** Closes connections, port and books. */
  stop(): Promise<void>;
}

/**
 * Starts a simulator.
 *
 * @throws {RangeError} when the key is not a test key
 * @throws {Error} when the books are damaged or the port is taken
 */
export async function startSimulator(
  options: SimulatorOptions,
): Promise<Simulator> {
  const { hostname, secretKey, now } = options;
  if (!/^(sk|rk)_test_\w+$/.test(secretKey)) {
    throw new RangeError("Cannot start: the secret key must be a test key");
  }
  const handler = Promise.withResolvers<Handle>();
  const listener = await listen(
    hostname,
    options.port,
    async (request) => await (await handler.promise)(request),
  );
  const url = `http://${reachable(hostname)}:${listener.port}`;
  // The port first: whoever can not have it must not touch its owner's books.
  const books = await openBooks(options.booksPath, listener, now());
  rebase(books, url, now());
  const parts = assemble(options, books, url);
  const undated = dispatch(parts, books);
  const handle: Handle = async (request) =>
    dated(await undated(request), now());
  handler.resolve(handle);
  const stop = async (): Promise<void> => {
    parts.api.stop();
    await listener.stop();
    await parts.webhooks.stop();
    books.close();
  };
  return { url, port: listener.port, handle, control: parts.control, stop };
}

/** The time by the simulator's clock, which may be another than the machine's. */
function dated(outcome: WireOutcome, nowMs: number): WireOutcome {
  if (typeof outcome === "string") return outcome;
  const date = new Date(nowMs).toUTCString();
  return { ...outcome, headers: { ...outcome.headers, date } };
}

async function openBooks(
  path: string | null,
  listener: Listener,
  nowMs: number,
): Promise<Books> {
  try {
    return Books.open(path, nowMs);
  } catch (error) {
    await listener.stop();
    throw error;
  }
}

interface Parts {
  api: Api;
  control: Control;
  desk: Desk;
  webhooks: WebhookSender;
}

function assemble(
  { now, random, secretKey, webhook, ...given }: SimulatorOptions,
  books: Books,
  baseUrl: string,
): Parts {
  const log = given.log ?? (() => {});
  const schedule = given.schedule ?? scheduleForReal;
  const travel = given.travel ?? fetch;
  const faults = new Faults(random);
  const requests = new RequestLog();
  const account = {
    seller: given.seller ?? SIMULATED_SELLER,
    fees: { ...NO_FEES },
  };
  const shared = { books, now, random, schedule, log, baseUrl, account };
  const webhooks = new WebhookSender({ ...shared, travel }, webhook);
  const parts = { ...shared, faults, requests, webhooks };
  const api = new Api({ ...parts, router, secretKey });
  const desk = new Desk({
    books,
    faults,
    webhooks,
    now,
    random,
    baseUrl,
    account,
  });
  const control = new Control({ ...parts, api, desk });
  return { api, control, desk, webhooks };
}

function dispatch({ api, control, desk }: Parts, books: Books): Handle {
  return async (request) => {
    const { method, path } = request;
    // No call of the API: whoever asks wants the time in the head alone.
    if (method === "HEAD" && path === "/") return textAnswer(404, "");
    if (path.startsWith(CONTROL_PREFIX)) return answerControl(control, request);
    if (isDownload(path)) {
      return await api.disturb(
        request,
        () =>
          answerDownload(books, request, {
            seller: desk.setting.account.seller,
            padding: control.invoicePaddingBytes,
          }),
      );
    }
    if (path.startsWith(HOSTED_PREFIX)) {
      return await api.disturb(
        request,
        () => Promise.resolve(answerHosted(desk, request)),
      );
    }
    return await api.handle(request);
  };
}

function reachable(hostname: string): string {
  const isAny = hostname === "0.0.0.0" || hostname === "::";
  if (isAny) return "127.0.0.1";
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}
