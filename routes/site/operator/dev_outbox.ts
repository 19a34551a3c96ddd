import { type Route, route } from "../../route_table.ts";

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Outbox – Spotlight</title>
<h1>Outbox</h1>
<p>No mail has been sent. Mail of this development service will be listed here.</p>
</html>
`;

/**
 * `GET /dev/outbox`: the mail of a development service instead of sending it.
 * Nothing in the service sends mail yet, and the page says so.
 */
export function devOutbox(): Route {
  return route("GET", "/dev/outbox", () => {
    return new Response(PAGE, {
      headers: {
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-store",
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
      },
    });
  });
}
