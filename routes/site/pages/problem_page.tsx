import { refuse } from "../../../domain/refusal.ts";
import {
  parseProblemSlug,
  PROBLEM_TYPES,
  problemDocsUrl,
} from "../../errors/problem_types.ts";
import { type Route, route } from "../../route_table.ts";
import { quoted } from "../../http/query.ts";
import { Layout } from "../../pages/layout.tsx";
import { PublicPages } from "../../pages/page_answer.ts";

/**
 * `GET /problems/:slug`: what the `type` address of a problem says about it.
 */
export function problemPage(baseUrl: string): Route {
  const pages = new PublicPages();
  return route("GET", "/problems/:slug", (context) => {
    const asked = context.req.param("slug");
    const slug = parseProblemSlug(asked);
    if (slug === null) {
      refuse({
        code: "not_found",
        message: `Cannot find problem type ${quoted(asked)}`,
      });
    }
    const { title, meaning } = PROBLEM_TYPES[slug];
    return pages.answer(
      context,
      { state: PROBLEM_TYPES, key: slug },
      () => (
        <Layout
          title={`${title} – Spotlight`}
          description={meaning}
          canonicalUrl={`${baseUrl}/problems/${slug}`}
        >
          <h1>{title}</h1>
          <p>{meaning}</p>
          <p>
            <a href={problemDocsUrl({ baseUrl }, slug)}>
              Documentation for developers
            </a>
          </p>
        </Layout>
      ),
    );
  });
}
