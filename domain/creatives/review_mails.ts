import { type Mail, textMail } from "../mail/outbox_mail.ts";
import { PAGES } from "../pages.ts";
import type { Creative, Rejection } from "./creative.ts";
import { POLICIES } from "./policies.ts";

/** Tells an advertiser that an advertisement may be bid with. */
export function approvedMail(
  to: string,
  { adId, headline }: Creative,
  baseUrl: string,
): Mail {
  return textMail(
    to,
    "Your Spotlight advertisement was approved",
    `Hello,

your advertisement was approved:

  ${headline}
  ${adId}

You can bid with it from now on. It never changes: editing it makes a new
version, which is reviewed by itself.

${baseUrl}${PAGES.creatives}/${adId}
`,
  );
}

/** Tells an advertiser that an advertisement was turned down, and why. */
export function rejectedMail(
  to: string,
  creative: Creative,
  rejection: Rejection,
  baseUrl: string,
): Mail {
  return textMail(
    to,
    "Your Spotlight advertisement was not approved",
    `Hello,

your advertisement was not approved:

${whyOf(creative, rejection, baseUrl)}
You can write a new version of it there and submit that.
`,
  );
}

/** Tells an advertiser that an approval no longer holds, and what follows. */
export function withdrawnMail(
  to: string,
  creative: Creative,
  rejection: Rejection,
  baseUrl: string,
): Mail {
  return textMail(
    to,
    "The approval of your Spotlight advertisement was withdrawn",
    `Hello,

the approval of your advertisement was withdrawn:

${whyOf(creative, rejection, baseUrl)}
A bid that stands on it is void when its day settles, and nothing is charged
for it. Until the auction closes you can raise the bid with another approved
advertisement.
`,
  );
}

function whyOf(
  { adId, headline }: Creative,
  { policyId, message, remedy }: Rejection,
  baseUrl: string,
): string {
  return `  ${headline}
  ${adId}

Policy: ${POLICIES[policyId].title} (${policyId})
${message}
${remedy}

${baseUrl}${PAGES.creatives}/${adId}
`;
}
