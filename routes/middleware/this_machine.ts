import { refuse } from "../../domain/refusal.ts";
import { authorityOf } from "../hosts.ts";
import type { Route, RouteContext } from "../route_table.ts";
import { addressBucket } from "./client_address.ts";

/** What proxies add: a request with one of them was sent by somebody else. */
const FORWARDING_HEADERS = [
  "cf-connecting-ip",
  "client-ip",
  "fastly-client-ip",
  "fly-client-ip",
  "forwarded",
  "true-client-ip",
  "via",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-envoy-external-address",
  "x-amzn-trace-id",
  "x-appengine-user-ip",
  "x-azure-clientip",
  "x-forwarded",
  "x-forwarded-by",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
  "x-forwarded-scheme",
  "x-forwarded-server",
  "x-forwarded-ssl",
  "x-original-forwarded-for",
  "x-original-host",
  "x-original-url",
  "x-proxyuser-ip",
  "x-real-ip",
  "x-rewrite-url",
] as const;

const LOOPBACK_HOST =
  /^(?:(?:[^.:@]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * A route of development, which shows or gives away what is others'. It is
 * found only from this machine: the socket's other end is on loopback, no proxy
 * stands between (one on this machine would make everybody look local), Host
 * names the machine itself, which a page of another site can't make it do, and
 * no page of another site asks.
 */
export function onThisMachine(route: Route): Route {
  return {
    ...route,
    handle(context) {
      if (!isFromHere(context)) {
        const path = JSON.stringify(context.req.path.slice(0, 200));
        refuse({ code: "not_found", message: `Cannot find ${path}` });
      }
      return route.handle(context);
    },
  };
}

function isFromHere({ env, req }: RouteContext): boolean {
  const { headers } = req.raw;
  return isLoopback(env.remoteAddress) &&
    LOOPBACK_HOST.test(authorityOf(req.raw) ?? "") &&
    !FORWARDING_HEADERS.some((name) => headers.has(name)) &&
    !isAnothersPage(headers);
}

function isAnothersPage(headers: Headers): boolean {
  const origin = headers.get("origin");
  return headers.get("sec-fetch-site") === "cross-site" ||
    origin !== null && !LOOPBACK_HOST.test(origin.replace(/^https?:\/\//, ""));
}

function isLoopback(remoteAddress: string): boolean {
  const address = addressBucket(remoteAddress) ?? "";
  return address.startsWith("127.") || /^\[?::1\]?$/.test(remoteAddress);
}
