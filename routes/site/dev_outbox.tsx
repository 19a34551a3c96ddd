import type { OutboxMail } from "../../domain/mail/outbox_mail.ts";
import type { Services } from "../../domain/ports.ts";
import { refuse } from "../../domain/refusal.ts";
import { onThisMachine } from "../middleware/this_machine.ts";
import { type Route, route, type RouteContext } from "../route_table.ts";
import { respond, respondJson } from "../http/respond.ts";

/** Mails on the page, newest first. */
const MAILS_MAX = 100;

/** No mail, whatever is in it, makes the page do or load anything. */
const HEADERS = {
  "cache-control": "no-store",
  "content-security-policy":
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "vary": "Accept",
  "x-content-type-options": "nosniff",
};

/**
 * `GET /dev/outbox`: the mail of a development service, which is not sent
 * anywhere. JSON for who accepts that and no HTML. It holds sign-in codes of
 * anyone, so it exists only in development and only for this machine.
 */
export function devOutbox(
  { store, settings }: Pick<Services, "store" | "settings">,
): Route {
  return onThisMachine(route("GET", "/dev/outbox", async (context) => {
    if (settings.environment !== "development") {
      refuse({ code: "not_found", message: 'Cannot find "/dev/outbox"' });
    }
    const mails = await store.listMails({ limit: MAILS_MAX, reverse: true });
    return wantsJson(context) ? jsonOf(mails) : htmlOf(mails);
  }));
}

function wantsJson({ req }: RouteContext): boolean {
  const accept = req.raw.headers.get("accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}

function jsonOf(mails: readonly OutboxMail[]): Response {
  const body = {
    mails: mails.map(({ id, to, subject, text, state, createdAtMs }) => ({
      id,
      to,
      subject,
      text,
      state,
      created_at: new Date(createdAtMs).toISOString(),
    })),
  };
  return respondJson(body, { headers: HEADERS });
}

function htmlOf(mails: readonly OutboxMail[]): Response {
  const page = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>Outbox – Spotlight</title>
      </head>
      <body>
        <main>
          <h1>Outbox</h1>
          {mails.length === 0
            ? <p>No mail has been sent.</p>
            : <p>Newest first. Nothing here has left this service.</p>}
          {mails.map((mail) => <MailArticle mail={mail} />)}
        </main>
      </body>
    </html>
  );
  return respond(`<!doctype html>\n${page}\n`, {
    headers: { ...HEADERS, "content-type": "text/html; charset=utf-8" },
  });
}

function MailArticle({ mail }: { mail: OutboxMail }) {
  const createdAt = new Date(mail.createdAtMs).toISOString();
  return (
    <article id={mail.id}>
      <h2>{mail.subject}</h2>
      <p>
        To {mail.to}, <time datetime={createdAt}>{createdAt}</time>,{" "}
        {mail.state}
      </p>
      <pre>{mail.text}</pre>
    </article>
  );
}
