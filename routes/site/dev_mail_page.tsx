import type { Child } from "@hono/hono/jsx";
import type { Mail } from "../../domain/mail/mail_content.ts";
import type { Settings } from "../../domain/ports.ts";
import { refuse } from "../../domain/refusal.ts";
import type { Html } from "../pages/html.ts";
import { respond } from "../http/respond.ts";
import { onThisMachine } from "../middleware/this_machine.ts";
import type { Route } from "../route_table.ts";

/** No mail, whatever is in it, makes the page do or load anything. */
export const DEV_PAGE_HEADERS = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; " +
    "form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "vary": "Accept",
  "x-content-type-options": "nosniff",
} as const;

const STYLE = `:root{color-scheme:light dark}
body{margin:0 auto;max-width:80rem;padding:1.5rem;font:16px/1.5 system-ui,sans-serif}
article{margin:2rem 0;border-top:1px solid}
h1,h2{line-height:1.25;overflow-wrap:anywhere}
.forms{display:grid;gap:1rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr))}
pre,iframe{box-sizing:border-box;width:100%;height:30rem;margin:0;padding:1rem;border:1px solid;overflow:auto}
iframe{padding:0}
pre{font-size:13px}`;

/** A page that exists in development alone, and for this machine alone. */
export function onlyInDevelopment(settings: Settings, own: Route): Route {
  return onThisMachine({
    ...own,
    handle(context) {
      if (settings.environment !== "development") {
        refuse({ code: "not_found", message: `Cannot find "${own.path}"` });
      }
      return own.handle(context);
    },
  });
}

/** A page of mails, without anything of the website around it. */
export function devPage(title: string, children: Child): Response {
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{title} – Spotlight</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  );
  return respond(`<!doctype html>\n${page}\n`, {
    headers: {
      ...DEV_PAGE_HEADERS,
      "content-type": "text/html; charset=utf-8",
    },
  });
}

/** One mail in both of its forms; the HTML where no script of it runs. */
export function MailArticle(
  { id, mail: { to, subject, text, html }, children }: {
    id: string;
    mail: Pick<Mail, "to" | "subject" | "text" | "html">;
    children?: Child;
  },
): Html {
  return (
    <article id={id}>
      <h2>{subject}</h2>
      <p>To {to}, {children}</p>
      <div class="forms">
        <pre>{text}</pre>
        {html !== undefined && (
          <iframe sandbox="" srcdoc={html} title={`As HTML: ${subject}`} />
        )}
      </div>
    </article>
  );
}
