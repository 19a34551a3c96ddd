/**
 * Who may have how many codes mailed. Nothing here depends on whether an
 * address has an account. Decision 0061 says why.
 *
 * @module
 */
import { type Charge, networkCharges } from "../rate_limit/charge.ts";
import type { Network } from "../rate_limit/network.ts";
import {
  SIGN_IN_DEVICE,
  SIGN_IN_DEVICES,
  SIGN_IN_EMAIL,
} from "../rate_limit/policy.ts";

/** Mails that a browser may ask for again while it waits for its code. */
export const REPEATS_A_CODE = 2;

/** A code for an address, asked for by a browser that is not known. */
export function newBrowserCharges(
  email: string,
  networks: readonly Network[],
): Charge[] {
  const mailbox = mailboxOf(email);
  return [
    ...networkCharges("sign_in_mail", networks),
    ...networkCharges("sign_in_email", networks, mailbox),
    { id: `sign_in_email:${mailbox}`, policy: SIGN_IN_EMAIL },
  ];
}

/**
 * What addresses that reach one person are counted as: nearly every host takes
 * what follows a plus for a label, and Gmail looks at no dot. Where a host does
 * not, two people share a count, which is better than one who is flooded.
 */
export function mailboxOf(email: string): string {
  const [name = "", host = ""] = email.split("@");
  const [plain = ""] = name.split("+", 1);
  const isGmail = /^(gmail|googlemail)\.com$/i.test(host);
  const box = isGmail ? plain.replaceAll(".", "") : plain;
  return `${box || name}@${isGmail ? "gmail.com" : host}`.toLowerCase();
}

/** One more mail for a code that this browser waits for. */
export function repeatCharges(networks: readonly Network[]): Charge[] {
  return networkCharges("sign_in_mail", networks);
}

/**
 * A code for an address, asked for by a browser in which it has signed in: a
 * reserve that nobody in another network can use up. Accounts cost nothing, and
 * each browser of theirs has one: so a network has so many of such mails.
 */
export function knownDeviceCharges(
  email: string,
  deviceId: string,
  networks: readonly Network[],
): Charge[] {
  return [
    ...knownRepeatCharges(networks),
    { id: `sign_in_device:${deviceId}`, policy: SIGN_IN_DEVICE },
    { id: `sign_in_devices:${email}`, policy: SIGN_IN_DEVICES },
  ];
}

/** One more mail for a code that such a browser waits for. */
export function knownRepeatCharges(networks: readonly Network[]): Charge[] {
  return networkCharges("known_browser_mail", networks);
}
