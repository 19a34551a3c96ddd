/**
 * Whether what the service needs outside of itself is there: processor, mail
 * server, clock, register of VAT ids. Asking changes nothing anywhere.
 *
 * @module
 */
import { randomIds } from "../adapters/crypto/random_ids.ts";
import type { Config } from "../config/config.ts";
import { VERSION } from "../config/version.ts";
import { checkClock } from "../domain/doctor/clock.ts";
import { type Finding, trouble, well } from "../domain/doctor/finding.ts";
import { checkRegister } from "../domain/doctor/register.ts";
import type { Clock, Log } from "../domain/ports.ts";
import { countedAs, rateOf } from "../domain/tax/vat.ts";
import { dateAt } from "../adapters/machine/date_at.ts";
import { verifyLogin } from "../adapters/mail/smtp_mailer.ts";
import {
  checkProcessor,
  type SeenProcessor,
} from "../adapters/stripe/check_endpoint.ts";
import { createStripeClient } from "../adapters/stripe/stripe_client.ts";
import { abortAfter } from "../adapters/time/system_time.ts";
import { VIES_ADDRESS } from "../adapters/vies/vies_registry.ts";
import { nameOfThrown } from "../domain/failure.ts";
import { openOutside } from "./outside.ts";

/** What looking takes. */
export interface Examining {
  config: Pick<Config, "mailUrl" | "settings" | "stripe">;
  clock: Clock;
  /** Aborted when nobody wants to know any more. */
  stopping: AbortSignal;
}

const MAIL = "mail";
const DATE_MS = 10_000;

/**
 * Looks at processor, webhook, mail and clock at once; each takes half a minute
 * at most.
 *
 * @param timeSources web servers that are asked for the time, besides the processor
 */
export async function examineOutside(
  { config, clock, stopping }: Examining,
  timeSources: readonly string[] = [],
): Promise<Finding[]> {
  const [processor, mail, ...dates] = await Promise.all([
    checkProcessorOf(config),
    checkMail(config, stopping),
    ...timeSources.map((url) => dateWithin(url, stopping)),
  ]);
  const time = config.settings.environment === "development"
    ? well("clock", "Development goes by this machine's.")
    : checkClock([processor.dateMs, ...dates], clock.now());
  return [...processor.findings, mail, time];
}

/** The same, with three clocks and the register of VAT ids. */
export async function examineAll(
  { config, ...examining }: Examining & { config: Config },
): Promise<Finding[]> {
  const { environment, seller, baseUrl } = config.settings;
  if (environment === "development") {
    const findings = await examineOutside({ config, ...examining });
    return [...findings, well("VAT register", "Development asks a simulator.")];
  }
  const { stopping } = examining;
  const log = { info() {}, error() {}, lastErrorMs: () => null };
  const { vatRegistry, close } = openOutside({
    config,
    log,
    stopping,
    ids: randomIds,
  });
  try {
    const [findings, register] = await Promise.all([
      examineOutside({ config, ...examining }, [VIES_ADDRESS, baseUrl]),
      checkRegister(vatRegistry, seller.vatId),
    ]);
    return [...findings, register];
  } finally {
    await close();
  }
}

/**
 * Tells the log of a start, and of what is missing outside. Nobody is to wait
 * for it: what is missing may come yet. Never throws.
 */
export async function logStart(
  { config, clock, stopping, log }: Examining & { log: Log },
): Promise<void> {
  const { environment, seller } = config.settings;
  const vat = `${
    rateOf(countedAs(seller.country)) / 100
  } % of ${seller.country}`;
  log.info("started", { environment, version: VERSION, vat });
  if (environment === "development") return;
  await logFindings({ config, clock, stopping, log });
}

/** Tells the log of what the service has to do without; never throws. */
export async function logFindings(
  { log, ...examining }: Examining & { log: Log },
): Promise<void> {
  const { stopping } = examining;
  if (stopping.aborted) return;
  const over = Promise.withResolvers<Finding[]>();
  stopping.addEventListener("abort", () => over.resolve([]), { once: true });
  try {
    const examined = examineOutside(examining);
    for (
      const { check, ok, says } of await Promise.race([examined, over.promise])
    ) {
      if (!ok) log.error("doctor.trouble", { check, says });
    }
  } catch (thrown) {
    log.error("doctor.failed", { error: nameOfThrown(thrown) });
  }
}

function checkProcessorOf(
  { settings, stripe }: Examining["config"],
): Promise<SeenProcessor> {
  return checkProcessor(createStripeClient(stripe), {
    address: `${settings.authUrl}/webhooks/stripe`,
    livemode: stripe.livemode,
  });
}

async function dateWithin(
  url: string,
  stopping: AbortSignal,
): Promise<number | null> {
  const { signal, callOff } = abortAfter(DATE_MS);
  try {
    return await dateAt(url, AbortSignal.any([signal, stopping]));
  } finally {
    callOff();
  }
}

/** Whether the mail server lets us in; nothing is sent. */
async function checkMail(
  { mailUrl, settings }: Examining["config"],
  stopping: AbortSignal,
): Promise<Finding> {
  if (mailUrl === "outbox:") {
    return well(MAIL, "Mail is kept at /dev/outbox and goes nowhere.");
  }
  const { name, email } = settings.seller;
  const from = { name, email };
  const why = await verifyLogin({ url: mailUrl, from, stopping });
  return why === null
    ? well(MAIL, "The mail server takes our login.")
    : trouble(MAIL, `The mail server is of no use: ${why}. See to MAIL_URL.`);
}
