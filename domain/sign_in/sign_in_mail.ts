import type { Mail } from "../mail/outbox_mail.ts";

/**
 * The mail with a sign-in code. The link carries the code behind `#`, which no
 * server and no mail scanner is ever sent, and fills it into the form only.
 */
export function signInMail(
  to: string,
  code: string,
  baseUrl: string,
): Mail {
  const spaced = `${code.slice(0, 4)} ${code.slice(4)}`;
  return {
    to,
    subject: "Your Spotlight sign-in code",
    text: `Your code for signing in to Spotlight is:

    ${spaced}

Type it into the page where you asked for it, or open this link in the same
browser:

${baseUrl}/sign-in/verify#c=${code}

The code works once, for 10 minutes. If you did not ask for it, ignore this
mail: nobody can sign in with it who does not also have the browser that asked.
`,
    html: null,
  };
}
