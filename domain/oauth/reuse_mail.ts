import type { Mail } from "../mail/outbox_mail.ts";

/** Tells a user that a used refresh token came back and what was done. */
export function reuseMail(
  to: string,
  clientName: string,
  baseUrl: string,
): Mail {
  return {
    to,
    subject: "An application was disconnected from your Spotlight account",
    text: `The application that calls itself

    ${clientName}

showed Spotlight a key that had been replaced already. Somebody may have copied
it, so we disconnected the application at once: it can do nothing on your behalf
any more. Bids it placed before stand.

You can see what it was allowed to do, and connect it again, here:

${baseUrl}/agents
`,
    html: null,
  };
}
