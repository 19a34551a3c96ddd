import type { Mail, MailContent } from "./mail_content.ts";
import { renderHtml } from "./render_html.ts";
import { renderText } from "./render_text.ts";

/** The two forms of a mail. */
export function renderMail({ kind, to, subject, parts }: MailContent): Mail {
  return {
    kind,
    to,
    subject,
    text: renderText(parts),
    html: renderHtml(subject, parts),
  };
}
