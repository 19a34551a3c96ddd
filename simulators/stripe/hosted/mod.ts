/**
 * The pages people are sent to. They have no other key than their address.
 *
 * @module
 */

import type { Call } from "../call.ts";
import type { Desk } from "../desk.ts";
import { HOSTED_PREFIX } from "../hosted_page.ts";
import type { HostedPage } from "../objects.ts";
import type { WireAnswer, WireRequest } from "../wire.ts";
import { actOnCheckout, showCheckout } from "./checkout_page.ts";
import { page } from "./html.ts";
import { actOnIdentity, showIdentity } from "./identity_page.ts";
import { actOnOnboarding, showOnboarding } from "./onboarding_page.ts";
import { actOnPortal, showPortal } from "./portal_page.ts";

type Show = (call: Call, page: HostedPage) => WireAnswer;
type Act = (call: Call, page: HostedPage, form: URLSearchParams) => WireAnswer;

const PAGES: Record<HostedPage["kind"], { show: Show; act: Act }> = {
  checkout: { show: showCheckout, act: actOnCheckout },
  identity: { show: showIdentity, act: actOnIdentity },
  onboarding: { show: showOnboarding, act: actOnOnboarding },
  portal: { show: showPortal, act: actOnPortal },
};

/** Answers a browser. */
export function answerHosted(desk: Desk, request: WireRequest): WireAnswer {
  const { method, path, body } = request;
  const id = path.slice(HOSTED_PREFIX.length);
  const found = desk.setting.books.tables.hosted_page.get(id);
  if (found === undefined) return page(404, "Page not found", "");
  const { show, act } = PAGES[found.kind];
  if (method === "GET" || method === "HEAD") {
    return desk.change((call) => show(call, found));
  }
  if (method === "POST") {
    const form = new URLSearchParams(body);
    return desk.change((call) => act(call, found, form), request);
  }
  const refused = page(405, "Method not allowed", "");
  return { ...refused, headers: { ...refused.headers, allow: "GET, POST" } };
}
