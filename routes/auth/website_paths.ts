import { pathOf } from "../hosts.ts";
import { respondEmpty } from "../http/respond.ts";
import { asciiOf } from "../http/sendable.ts";
import {
  type Route,
  route,
  type RouteContext,
  type Surface,
} from "../route_table.ts";

/** The longest address that is led to; a longer one loses its query. */
const LOCATION_MAX = 2_048;

/**
 * The paths of the website, on the API host: 303 to the same path there. What
 * tells a person to act names a path, such as `/billing`, and who joins it to
 * the address that they asked would otherwise meet a 404. They are read from
 * the website's own routes, so that a new page is led to as soon as it is there.
 * Decision 0224 says why.
 *
 * @param own what the host has itself at paths of the website
 */
export function websitePaths(
  website: readonly Surface[],
  baseUrl: string,
  own: readonly Route[] = [],
): Route[] {
  const pages = website.filter((surface) => !surface.openToScripts)
    .flatMap(({ routes }) => routes)
    .filter(({ method, path }) =>
      method === "GET" && !own.some((each) => each.path === path)
    );
  return pages.map(({ path }) =>
    route("GET", path, (context) => leadTo(baseUrl, context))
  );
}

function leadTo(baseUrl: string, { req }: RouteContext): Response {
  const { url } = req;
  const query = url.includes("?") ? url.slice(url.indexOf("?")) : "";
  const address = baseUrl + asciiOf(pathOf(req.raw));
  const whole = address + asciiOf(query);
  const location = whole.length > LOCATION_MAX ? address : whole;
  return respondEmpty(303, { location, "cache-control": "no-store" });
}
