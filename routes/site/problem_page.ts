import { refuse } from "../../domain/refusal.ts";
import { parseProblemSlug, PROBLEM_TYPES } from "../errors/problem_types.ts";
import { type Route, route } from "../route_table.ts";

/**
 * `GET /problems/:slug`: what the `type` address of a problem says about it.
 */
export function problemPage(baseUrl: string): Route {
  return route("GET", "/problems/:slug", (context) => {
    const asked = context.req.param("slug");
    const slug = parseProblemSlug(asked);
    if (slug === null) {
      refuse({
        code: "not_found",
        message: `Cannot find problem type ${
          JSON.stringify(asked.slice(0, 100))
        }`,
      });
    }
    const { title, meaning } = PROBLEM_TYPES[slug];
    return new Response(page(title, meaning, baseUrl), { headers: HEADERS });
  });
}

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "public, max-age=3600",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
};

function page(title: string, meaning: string, baseUrl: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(title)} – Spotlight</title>
<h1>${escape(title)}</h1>
<p>${escape(meaning)}</p>
<p><a href="${
    escape(baseUrl)
  }/developers.md">Documentation for developers</a></p>
</html>
`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");
}
