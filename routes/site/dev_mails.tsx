import { UNSUBSCRIBE_PATH } from "../../domain/accounts/unsubscribe_link.ts";
import type { Mail, MailContent } from "../../domain/mail/mail_content.ts";
import {
  type MailKind,
  type MailRule,
  MAILS,
} from "../../domain/mail/mail_kinds.ts";
import { renderMail } from "../../domain/mail/render_mail.ts";
import type { Services, Settings } from "../../domain/ports.ts";
import { type Route, route } from "../route_table.ts";
import { devPage, MailArticle, onlyInDevelopment } from "./dev_mail_page.tsx";
import { mailSamples } from "./dev_mail_samples.ts";
import { devOutbox } from "./dev_outbox.tsx";

/** The pages of development about mails. */
export function devMailPages(
  services: Pick<Services, "store" | "settings">,
): readonly Route[] {
  return [devOutbox(services), devMails(services)];
}

/**
 * `GET /dev/mails`: every kind of mail with sample data, in both forms, for
 * whoever writes one. In development only, and only for this machine.
 */
export function devMails({ settings }: Pick<Services, "settings">): Route {
  return onlyInDevelopment(
    settings,
    route("GET", "/dev/mails", () => {
      const samples = mailSamples(settings);
      const kinds = Object.keys(samples) as MailKind[];
      return devPage(
        "Every mail",
        <>
          <nav>
            <ul>
              {kinds.map((kind) => (
                <li>
                  <a href={`#${kind}`}>{kind}</a>: when {MAILS[kind].when}
                </li>
              ))}
            </ul>
          </nav>
          {kinds.map((kind) => (
            <MailArticle id={kind} mail={sampleOf(samples[kind], settings)}>
              {MAILS[kind].choice === null
                ? "always sent"
                : `switched off by "${MAILS[kind].choice}"`}
            </MailArticle>
          ))}
        </>,
      );
    }),
  );
}

/** With a link to switch it off where there is one; this one leads nowhere. */
function sampleOf(content: MailContent, { baseUrl }: Settings): Mail {
  const { choice }: MailRule = MAILS[content.kind];
  return choice === null
    ? renderMail(content)
    : renderMail(content, `${baseUrl}${UNSUBSCRIBE_PATH}/sample`);
}
