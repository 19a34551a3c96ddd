import type { OutboxMail } from "../../domain/mail/outbox_mail.ts";
import type { Services } from "../../domain/ports.ts";
import { respondJson } from "../http/respond.ts";
import { type Route, route, type RouteContext } from "../route_table.ts";
import {
  DEV_PAGE_HEADERS,
  devPage,
  MailArticle,
  onlyInDevelopment,
} from "./dev_mail_page.tsx";

/** Mails on the page, newest first. */
const MAILS_MAX = 100;

/**
 * `GET /dev/outbox`: the mail of a development service, which is not sent
 * anywhere. JSON for who accepts that and no HTML. It holds sign-in codes of
 * anyone, so it exists only in development and only for this machine.
 */
export function devOutbox(
  { store, settings }: Pick<Services, "store" | "settings">,
): Route {
  return onlyInDevelopment(
    settings,
    route("GET", "/dev/outbox", async (context) => {
      const mails = await store.listMails({ limit: MAILS_MAX, reverse: true });
      return wantsJson(context) ? jsonOf(mails) : htmlOf(mails);
    }),
  );
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
  return respondJson(body, { headers: { ...DEV_PAGE_HEADERS } });
}

function htmlOf(mails: readonly OutboxMail[]): Response {
  return devPage(
    "Outbox",
    <>
      <p>
        {mails.length === 0
          ? "No mail has been sent."
          : "Newest first. Nothing here has left this service."}{" "}
        <a href="/dev/mails">Every kind of mail, with sample data</a>{" "}
        <a href="/auth.md#try-the-consent-by-hand">Whom to sign in as</a>
      </p>
      {mails.map((mail) => (
        <MailArticle id={mail.id} mail={mail}>
          <Moment atMs={mail.createdAtMs} />, {mail.state}
        </MailArticle>
      ))}
    </>,
  );
}

function Moment({ atMs }: { atMs: number }) {
  const at = new Date(atMs).toISOString();
  return <time datetime={at}>{at}</time>;
}
