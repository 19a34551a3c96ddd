import type { AnswerContext } from "../../errors/answer_context.ts";
import { errorHeaders } from "../../errors/answer_context.ts";
import type { Html } from "../../pages/html.ts";
import { Layout } from "../../pages/layout.tsx";
import { bodyOf } from "../../pages/page_answer.ts";
import { respond } from "../../http/respond.ts";

/** What a page says to the person whose browser was sent here. */
export interface ErrorPage {
  status: number;
  title: string;
  text: string;
  /** The application's own address with the error, for whoever goes there. */
  back?: { redirectTo: string; host: string };
  headers?: Readonly<Record<string, string>>;
}

/**
 * A page instead of a redirect: whoever sent the browser here is not trusted
 * with it (OAuth 2.1 §4.1.2.1). It needs nothing of any other host: its style
 * and face are on this one too.
 */
export function errorPage(page: ErrorPage, context: AnswerContext): Response {
  const headers = errorHeaders(context, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy":
      "default-src 'none'; style-src 'self'; font-src 'self'; " +
      "img-src 'self'; manifest-src 'self'; base-uri 'none'; " +
      "form-action 'none'; frame-ancestors 'none'",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    ...page.headers,
  });
  const { status } = page;
  const viewer = { visitor: "unknown", path: "" } as const;
  return respond(bodyOf(<Page {...page} />, viewer), { status, headers });
}

function Page({ title, text, back }: ErrorPage): Html {
  return (
    <Layout title={`${title} – Spotlight`}>
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        Nothing was shared. Go back to the application and start again, or tell
        whoever made it.
      </p>
      {back && (
        <p>
          If you trust{" "}
          <bdi>{back.host}</bdi>, you can go there and have the application
          know:{" "}
          <a href={back.redirectTo} rel="noreferrer">
            Go to <bdi>{back.host}</bdi>
          </a>
        </p>
      )}
    </Layout>
  );
}
