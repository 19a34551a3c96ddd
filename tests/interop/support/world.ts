/**
 * The whole service on free ports for clients that are not ours, and people
 * who use it.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { KvLike } from "../../../kv/kv_like.ts";
import { openKv } from "../../../kv/open.ts";
import { startSimulator } from "../../../simulators/stripe/mod.ts";
import {
  type RunningService,
  runService,
} from "../../support/running_service.ts";
import { type SmtpServer, startSmtpServer } from "../../support/smtp_server.ts";
import { Browser } from "./browser.ts";
import { type Callback, openCallback } from "./callback.ts";
import {
  EVERY_SECRET,
  HASHED_SECRETS,
  SecretBook,
  type SecretKind,
} from "../../support/secret_book.ts";
import { type ReadMail, User } from "./user.ts";
import { presentRows, recordWrites, type WrittenRow } from "./written_rows.ts";

const SECRET_KEY = "sk_test_interop";

/** Where mails go; elsewhere than here their text is forgotten once sent. */
type MailTo = "outbox" | "server";

/** What a test of a client is given. */
export interface InteropWorld {
  service: RunningService;
  /** `{base_url}` */
  baseUrl: string;
  /** `{auth_url}`, the issuer. */
  authUrl: string;
  /** What has passed between clients, browsers and service. */
  book: SecretBook;
  /** Where payers have tokens granted, and with which key. */
  processor: { processorUrl: string; secretKey: string };
  /** Where clients wait for their answer. */
  callback: Callback;
  /** A person in a browser of their own. */
  user(name: string): User;
  /** Moves the service's clock on. */
  pass(ms: number): void;
}

/** What the service has left behind once it has stopped. */
export interface Remains {
  book: SecretBook;
  log: string;
  written: readonly WrittenRow[];
  present: readonly WrittenRow[];
}

/**
 * Runs a test against a service of its own. Whatever the test was about, no
 * secret of it may be in the log, nor in a row, past ones included.
 */
export async function inWorld(
  run: (world: InteropWorld) => Promise<void>,
  mailTo: MailTo = "outbox",
): Promise<Remains> {
  const realKv = await openKv(":memory:");
  try {
    const { kv, written } = recordWrites({ ...realKv, close() {} });
    const book = new SecretBook();
    const log = await serve({ kv, book, mailTo, run });
    const remains = { book, log, written, present: await presentRows(realKv) };
    assertEquals(leaksOf(remains, mailTo), []);
    return remains;
  } finally {
    realKv.close();
  }
}

/** How the service of a test is run. */
interface Run {
  kv: KvLike;
  book: SecretBook;
  mailTo: MailTo;
  run: (world: InteropWorld) => Promise<void>;
}

/** Runs the test and answers the log of the service, which has stopped. */
async function serve({ kv, book, mailTo, run }: Run): Promise<string> {
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  await using smtp = await startSmtpServer();
  await using simulator = await openSimulator(now);
  await using callback = openCallback();
  const service = await runService({
    kv,
    clock: { now },
    env: {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_API_BASE: simulator.url,
      ...mailTo === "server" && { MAIL_URL: `smtp://127.0.0.1:${smtp.port}` },
    },
  });
  const { baseUrl, authUrl } = service.config.settings;
  const readMail: ReadMail = mailTo === "outbox"
    ? (email) => readOutbox(baseUrl, email)
    : (email) => readDelivered(smtp, email);
  const common = { book, baseUrl, readMail };
  const user = (name: string) => {
    const browser = new Browser(book, [baseUrl, authUrl]);
    return new User({ ...common, browser, email: `${name}@interop.example` });
  };
  const pass = (ms: number) => aheadMs += ms;
  try {
    const processor = { processorUrl: simulator.url, secretKey: SECRET_KEY };
    const addresses = { baseUrl, authUrl, processor };
    await run({ service, ...addresses, book, callback, user, pass });
  } finally {
    await service[Symbol.asyncDispose]();
  }
  return service.logged();
}

async function openSimulator(
  now: () => number,
): Promise<{ url: string } & AsyncDisposable> {
  const simulator = await startSimulator({
    hostname: "127.0.0.1",
    port: 0,
    booksPath: null,
    secretKey: SECRET_KEY,
    webhook: null,
    now,
    random: Math.random,
  });
  const { url } = simulator;
  return { url, [Symbol.asyncDispose]: () => simulator.stop() };
}

/** The newest mail to an address, as the development service shows it. */
async function readOutbox(baseUrl: string, email: string): Promise<string> {
  const response = await fetch(`${baseUrl}/dev/outbox`, {
    headers: { accept: "application/json" },
  });
  const { mails }: { mails: { to: string; text: string }[] } = await response
    .json();
  return mails.find(({ to }) => to === email)?.text ?? "";
}

/** The first mail to an address, once the mail server has taken it. */
async function readDelivered(smtp: SmtpServer, email: string): Promise<string> {
  const find = () => smtp.mails.find(({ to }) => to.includes(email));
  while (find() === undefined) await smtp.reached("end of data");
  return find()?.data ?? "";
}

/** Every secret that stands where it must not, and where. */
export function leaksOf(remains: Remains, mailTo: MailTo): string[] {
  const { book, log, written, present } = remains;
  const inRows = (rows: readonly WrittenRow[], mailed: boolean) =>
    rows.flatMap(({ family, text }) => {
      const kinds = mailed && family === "outbox" ? UNMAILED : HASHED_SECRETS;
      return book.findIn(text, kinds).map((found) =>
        `${family} holds ${found}`
      );
    });
  return [
    ...book.findIn(log, EVERY_SECRET).map((found) => `the log holds ${found}`),
    // A mail holds its code until it is sent, in an outbox for good.
    ...inRows(written, true),
    ...inRows(present, mailTo === "outbox"),
  ];
}

const UNMAILED: readonly SecretKind[] = HASHED_SECRETS.filter((kind) =>
  kind !== "e-mail code"
);
