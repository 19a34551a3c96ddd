import type { Mail, MailContent, MailPart } from "./mail_content.ts";
import { renderHtml } from "./render_html.ts";
import { renderText } from "./render_text.ts";

/**
 * The two forms of a mail.
 *
 * @param unsubscribeUrl where its kind is switched off, with which both end;
 * left out for one that always comes
 */
export function renderMail(
  { kind, to, subject, parts }: MailContent,
  unsubscribeUrl?: string,
): Mail {
  const all: readonly MailPart[] = unsubscribeUrl === undefined
    ? parts
    : [...parts, { link: "Get no more of these mails", url: unsubscribeUrl }];
  return {
    kind,
    to,
    subject,
    text: renderText(all),
    html: renderHtml(subject, all),
    ...unsubscribeUrl !== undefined && { unsubscribeUrl },
  };
}
