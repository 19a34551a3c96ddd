import { assertEquals, assertMatch } from "@std/assert";
import type {
  AdvertiserSite,
  SignedInBrowser,
} from "../../../support/advertiser_site.ts";

/** The token of the form on a consent page. */
export async function tokenOf(page: Response): Promise<string> {
  const html = await page.text();
  const token = /name="token" value="([^"]+)"/.exec(html)?.[1];
  if (token === undefined) throw new Error(`No token on the page: ${html}`);
  return token;
}

/** What is typed into the limits when nothing else is. */
export const LIMITS: Readonly<Record<string, string>> = {
  max_bid: "12.50",
  daily_cap: "50",
  valid_until: "2026-12-31",
};

/** The choices that permissions may be grouped in. */
export const CHOICES = ["company", "advertisements", "figures"];

/** A form that allows these scopes, of whatever choice. */
export function allowing(
  token: string,
  scopes: readonly string[],
  fields: Readonly<Record<string, string>> = {},
): URLSearchParams {
  const form = new URLSearchParams({ token, decision: "allow", ...fields });
  for (const scope of scopes) form.append("scope", scope);
  for (const choice of CHOICES) form.append("choice", choice);
  return form;
}

/** Opens the page and allows; answers what the POST answered. */
export async function allow(
  browser: SignedInBrowser,
  path: string,
  scopes: readonly string[],
  fields: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const token = await tokenOf(await browser.get(path));
  return await browser.post(path, allowing(token, scopes, fields));
}

/** The address a 303 leads to. */
export function locationOf(answer: Response): URL {
  assertEquals(answer.status, 303);
  return new URL(
    answer.headers.get("location") ?? "",
    "https://spotlight.example",
  );
}

/** Asserts that the answer takes a code to the client, and gives the code. */
export function codeOf(answer: Response): string {
  const code = locationOf(answer).searchParams.get("code") ?? "";
  assertMatch(code, /^svc_ac_[A-Za-z0-9_-]{43}$/);
  return code;
}

/** The grants of an account. */
export async function grantsOf(
  { services: { store } }: AdvertiserSite,
  { account }: SignedInBrowser,
) {
  return await store.listGrants(account.id, { limit: 10 });
}
