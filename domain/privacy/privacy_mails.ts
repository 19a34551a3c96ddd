import { dayOf } from "../day.ts";
import type { MailContent } from "../mail/mail_content.ts";
import { PAGES } from "../pages.ts";
import type { Settings } from "../ports.ts";
import type { DataExport } from "./data_requests.ts";

/** Tells the owner that a copy can be read, and until when. */
export function exportReadyMail(
  { baseUrl }: Pick<Settings, "baseUrl">,
  to: string,
  { grantId, expiresAtMs }: Pick<DataExport, "grantId" | "expiresAtMs">,
): MailContent<"export_ready"> {
  return {
    kind: "export_ready",
    to,
    subject: "The copy of your Spotlight data is ready",
    parts: [
      grantId === null
        ? "The copy of your data that you asked for is ready. Sign in to read " +
          `or download it until ${dayOf(expiresAtMs)}.`
        : "An agent that you connected asked for a copy of your data, and can " +
          `read it until ${dayOf(expiresAtMs)}. So can you, once you sign in.`,
      { button: "See your data", url: `${baseUrl}${PAGES.privacy}` },
      grantId === null
        ? "If you did not ask for it, sign out everywhere in your settings."
        : "If you did not want that, disconnect the agent on your agents page.",
    ],
  };
}
