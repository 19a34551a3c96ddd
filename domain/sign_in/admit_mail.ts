import type { Services } from "../ports.ts";
import type { RateLimiter, Verdict } from "../rate_limit/limiter.ts";
import { isFirst } from "../rate_limit/first_of.ts";
import { type Network, widestOf } from "../rate_limit/network.ts";
import { refuse } from "../refusal.ts";
import {
  knownDeviceCharges,
  knownRepeatCharges,
  newBrowserCharges,
  repeatCharges,
} from "./mail_charges.ts";

/** What counting mails needs. */
export interface MailLimits extends Pick<Services, "store" | "log"> {
  limiter: RateLimiter;
}

/** Who wants a mail with a code. */
export interface MailAsker {
  /** As `parseEmail` answers it. */
  email: string;
  /** The client's networks, the narrowest first. */
  networks: readonly Network[];
  /**
   * Of the cookie of a browser in which this very address has signed in; null
   * for any other browser.
   */
  deviceId: string | null;
}

/** A mail that may be asked for. */
export interface AdmittedMail {
  /** Whether it is to be sent. */
  isSent: boolean;
  /**
   * Seconds until addresses without an account are mailed again; null while
   * they are.
   */
  strangersWaitS: number | null;
}

const SENT: AdmittedMail = { isSent: true, strangersWaitS: null };

/**
 * Takes the tokens of one mail with a code. A known device has a reserve; when
 * that or its network's share is used up it is counted like any other browser.
 *
 * @throws {Refused} `sign_in_mails_exhausted`
 */
export async function admitMail(
  limits: MailLimits,
  asker: MailAsker,
  isRepeat: boolean,
): Promise<AdmittedMail> {
  const { email, networks, deviceId } = asker;
  const network = widestOf(networks);
  if (deviceId !== null) {
    const reserve = isRepeat
      ? knownRepeatCharges(networks)
      : knownDeviceCharges(email, deviceId, networks);
    const verdict = await limits.limiter.takeAll(reserve, network);
    if (verdict.admitted) return SENT;
  }
  const charges = isRepeat
    ? repeatCharges(networks)
    : newBrowserCharges(email, networks);
  const verdict = await limits.limiter.takeAll(charges, network);
  if (!verdict.admitted) {
    const { retryAfterS } = verdict;
    refuse({ code: "sign_in_mails_exhausted", retryAfterS });
  }
  return await admitNewBrowser(limits, email, network);
}

/**
 * Counts the mails that browsers we do not know have us send, everybody's
 * together: beyond the cap only addresses with an account are mailed.
 *
 * Both kinds of address draw on the cap and are told the same, so neither the
 * answer nor what is left of the cap says which kind one is.
 */
async function admitNewBrowser(
  limits: MailLimits,
  email: string,
  network: string,
): Promise<AdmittedMail> {
  const [verdict, account] = await Promise.all([
    takeOfAll(limits, network),
    limits.store.accountEmails.find(email),
  ]);
  if (verdict.admitted) return SENT;
  const strangersWaitS = verdict.retryAfterS;
  return { isSent: account !== null, strangersWaitS };
}

/** Half of the cap is for mails that are among the first of their network. */
async function takeOfAll(
  { limiter, log }: MailLimits,
  network: string,
): Promise<Verdict> {
  const drawer = {
    purpose: "new_browser_mail",
    of: [network],
    asker: network,
  } as const;
  if (!await isFirst(limiter, drawer)) {
    const repeated = await limiter.take("repeated_new_browser_mails", "all");
    if (!repeated.admitted) return repeated;
    if (repeated.remaining === 0) log.error("sign_in.strangers_wait");
  }
  const verdict = await limiter.take("new_browser_mails", "all");
  // Once each time it runs dry, however many are refused then.
  const isLast = verdict.admitted && verdict.remaining === 0;
  if (isLast) log.error("sign_in.strangers_wait");
  return verdict;
}
