import type { MailContent } from "../mail/mail_content.ts";
import type { OffReason } from "./callback.ts";

/** Tells an owner that an agent is not told of events any more, and why. */
export function offMail(
  to: string,
  agent: string,
  { off, agentsUrl }: { off: OffReason; agentsUrl: string },
): MailContent<"webhook_off"> {
  const why = off === "failing"
    ? "Its address has taken no message for a day."
    : "Its signing secret is no longer valid.";
  return {
    kind: "webhook_off",
    to,
    subject: "An agent of yours is not told of events any more",
    parts: [
      "We stopped sending messages about your Spotlight account to the " +
      `webhook of this agent. ${why}`,
      { quote: agent },
      "The agent stays connected and can still read all events of the last " +
      "30 days. Set the address again to go on, or see what went wrong.",
      { button: "See your agents", url: agentsUrl },
    ],
  };
}
