import type { AnswerContext } from "../../errors/answer_context.ts";
import { errorHeaders } from "../../errors/answer_context.ts";
import type { Html } from "../../pages/html.ts";
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
 * with it (OAuth 2.1 §4.1.2.1). It needs nothing of any other host.
 */
export function errorPage(page: ErrorPage, context: AnswerContext): Response {
  const { baseUrl } = context.settings;
  const html = <Page {...page} baseUrl={baseUrl} />;
  const headers = errorHeaders(context, {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy":
      "default-src 'none'; base-uri 'none'; form-action 'none'; " +
      "frame-ancestors 'none'",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    ...page.headers,
  });
  const { status } = page;
  return respond(`<!doctype html>\n${html}\n`, { status, headers });
}

function Page(props: ErrorPage & { baseUrl: string }): Html {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{props.title} – Spotlight</title>
      </head>
      <body>
        <main>
          <h1>{props.title}</h1>
          <p>{props.text}</p>
          <p>
            Nothing was shared. Go back to the application and start again, or
            tell whoever made it. <a href={props.baseUrl}>Spotlight</a>
          </p>
          {props.back && (
            <p>
              If you trust{" "}
              <bdi>{props.back.host}</bdi>, you can go there and have the
              application know:{" "}
              <a href={props.back.redirectTo} rel="noreferrer">
                Go to <bdi>{props.back.host}</bdi>
              </a>
            </p>
          )}
        </main>
      </body>
    </html>
  );
}
