/**
 * What was taken over from a developer's machine or a sample file, and would be
 * noticed only when somebody asks, pays or loses a disk.
 *
 * @module
 */
import { ADDRESSES, type Variables } from "./variables.ts";

/** Domains that are nobody's (RFC 2606, RFC 6761). */
const NOBODYS =
  /(?:^|\.)(?:example|invalid|localhost|test|example\.(?:com|net|org))$/;
/** Hosts that no reader elsewhere reaches, or under which nobody asks. */
const NO_PUBLIC_HOST = /^[\d.]+$|^\[|\.$/;

/** Whether nobody has mail there. */
function isNobodys(email: string): boolean {
  return NOBODYS.test(email.slice(email.lastIndexOf("@") + 1).toLowerCase());
}

/** What production must not begin with. */
export function examples(values: Partial<Variables>): string[] {
  return [...hosts(values), ...operators(values), ...seller(values)];
}

function hosts(values: Partial<Variables>): string[] {
  const wrong = ADDRESSES.filter((name) => {
    const address = values[name];
    if (address === undefined) return false;
    const { hostname } = new URL(address);
    return NO_PUBLIC_HOST.test(hostname) || NOBODYS.test(hostname);
  });
  return wrong.map((name) =>
    `${name} must name a public host in production, without a dot at its ` +
    `end, current value is ${JSON.stringify(values[name])}`
  );
}

function operators({ OPERATOR_EMAILS }: Partial<Variables>): string[] {
  const email = OPERATOR_EMAILS?.find(isNobodys);
  if (email === undefined) return [];
  return [
    "OPERATOR_EMAILS must be addresses of operators in production, " +
    `${JSON.stringify(email)} is an example`,
  ];
}

/** Invoices are printed with these, and no register knows a number of zeros. */
function seller(
  { SELLER_VAT_ID: vatId, SELLER_EMAIL: email }: Partial<Variables>,
): string[] {
  const wrong: [string, string][] = [];
  if (/^..0+$/.test(vatId ?? "")) wrong.push(["SELLER_VAT_ID", vatId ?? ""]);
  if (isNobodys(email ?? "")) wrong.push(["SELLER_EMAIL", email ?? ""]);
  return wrong.map(([name, value]) =>
    `${name} must be the seller's own in production, ` +
    `${JSON.stringify(value)} is an example`
  );
}
