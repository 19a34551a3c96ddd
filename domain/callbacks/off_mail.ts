import type { Mail } from "../mail/outbox_mail.ts";
import type { OffReason } from "./callback.ts";

/** Tells an owner that an agent is not told of events any more, and why. */
export function offMail(
  to: string,
  agent: string,
  { off, agentsUrl }: { off: OffReason; agentsUrl: string },
): Mail {
  const why = off === "failing"
    ? "Its address has taken no message for a day."
    : "Its signing secret is no longer valid.";
  return {
    to,
    subject: "An agent of yours is not told of events any more",
    text: `We stopped sending messages about your Spotlight account to the agent
"${agent}". ${why}

The agent stays connected and can still read all events of the last 30 days.
Set the address again to go on, or see what went wrong:

${agentsUrl}
`,
  };
}
