import type { MailContent } from "../mail/mail_content.ts";
import { PAGES } from "../pages.ts";
import type { Settings } from "../ports.ts";
import type { Account } from "./account.ts";
import type { AccountEvent } from "./account_note.ts";

/** What the mail about a decision says beside the operator's own words. */
interface Words {
  subject: string;
  /** What was decided; it ends with a colon where a name or id follows. */
  said: string;
  /** What follows from it for the owner. */
  then: string;
  /** The page where the owner sees it. */
  page: keyof typeof BUTTONS;
  /** What becomes of bids that stand, said where there are any. */
  bids?: keyof typeof STANDING;
}

/** What becomes of bids that stand where the account can bid again, or not yet. */
const STANDING = {
  again: "From then on your bids that stand count again: they may win and be " +
    "charged.",
  void: "A bid whose day settles before then can't win, and you pay nothing " +
    "for it.",
} as const;

/** What the pages are called that these mails lead to. */
const BUTTONS = {
  [PAGES.account]: "See your account",
  [PAGES.billing]: "See your cards",
  [PAGES.onboarding]: "See your company",
  [PAGES.partner]: "See the partner page",
} as const;

/** What an operator decided, about what, and in which words. */
export interface Decided {
  event: AccountEvent;
  /** The account as it is from now on. */
  account: Pick<Account, "email" | "disputeOpen">;
  /** The name or id that it is about; absent for the account itself. */
  about?: string;
  reason: string;
  /** Whether bids of it stand. */
  hasLiveBids: boolean;
}

/** Tells an owner what an operator decided, in the operator's own words too. */
export function decisionMail(
  decided: Decided,
  { baseUrl, seller }: Pick<Settings, "baseUrl" | "seller">,
): MailContent<AccountEvent> {
  const { event, account, about, reason, hasLiveBids } = decided;
  const { subject, said, then, page, bids } = wordsOf(decided, seller.email);
  const standing = hasLiveBids ? bids : undefined;
  return {
    kind: event,
    to: account.email,
    subject,
    parts: [
      said,
      ...about === undefined ? [] : [{ quote: about }],
      "The operator wrote:",
      { quote: reason },
      standing === undefined ? then : `${then} ${STANDING[standing]}`,
      { button: BUTTONS[page], url: `${baseUrl}${page}` },
      ...standing === "again"
        ? [{ link: "Your bids that stand", url: `${baseUrl}${PAGES.bids}` }]
        : [],
    ],
  };
}

const BIDS_AGAIN =
  "It can bid again as soon as nothing else stands in the way.";

function wordsOf({ event, account }: Decided, email: string): Words {
  switch (event) {
    case "suspended":
      return {
        subject: "Your Spotlight account is suspended",
        said: "An operator has suspended your account.",
        then: "It can't bid or submit ads for now. A bid whose day settles " +
          "meanwhile can't win, and you pay nothing for it; if the suspension " +
          "is lifted before, the bid counts again. You can still sign in and " +
          "see your invoices and your data. If you think this is a mistake, " +
          `write to ${email}.`,
        page: PAGES.account,
      };
    case "suspension_lifted":
      return {
        subject: "Your Spotlight account is no longer suspended",
        said: "An operator has lifted the suspension of your account.",
        then: BIDS_AGAIN,
        page: PAGES.account,
        bids: "again",
      };
    case "block_lifted":
      return {
        subject: "Your Spotlight account is no longer blocked",
        said: "An operator has lifted the block that a lost dispute left on " +
          "your account.",
        then: account.disputeOpen
          ? "Another dispute is still open, so it can't bid until that is " +
            "decided."
          : BIDS_AGAIN,
        page: PAGES.billing,
        bids: account.disputeOpen ? "void" : "again",
      };
    case "refusal_lifted":
      return {
        subject: "Your Spotlight account can be charged again",
        said: "An operator has lifted the block that a refused card left on " +
          "your account.",
        then: `${BIDS_AGAIN} A card that was refused can be saved again.`,
        page: PAGES.billing,
      };
    case "rename_approved":
    case "rename_refused":
      return nameWords(event, email);
    case "partner_approved":
    case "partner_refused":
    case "partner_ended":
      return partnerWords(event, email);
    default:
      return vatWords(event, email);
  }
}

function partnerWords(
  event: "partner_approved" | "partner_refused" | "partner_ended",
  email: string,
): Words {
  const page = PAGES.partner;
  switch (event) {
    case "partner_approved":
      return {
        subject: "You are approved as a Spotlight partner",
        said: "An operator has approved you as a partner.",
        then:
          "One step is left: tell the payment processor where to pay you. " +
          "From then on your link counts.",
        page,
      };
    case "partner_refused":
      return {
        subject: "You were not approved as a Spotlight partner",
        said: "An operator has decided not to approve you as a partner.",
        then: "Nothing else about your account has changed. You can apply " +
          `again on the partner page, or write to ${email}.`,
        page,
      };
    case "partner_ended":
      return {
        subject: "Your Spotlight partnership has ended",
        said: "An operator has ended your partnership.",
        then: "Your links no longer count, and invoices from now on bring no " +
          "commission. What you earned before is told by statements as " +
          "usual, and you can ask for it to be paid on the partner page, also " +
          "less than EUR 50. What the last statement leaves, below EUR 20, is " +
          `not paid. If you think this is a mistake, write to ${email}.`,
        page,
      };
  }
}

function nameWords(
  event: "rename_approved" | "rename_refused",
  email: string,
): Words {
  return event === "rename_approved"
    ? {
      subject: "Your company's new name is shown",
      said: "Your company has the name you asked for:",
      then: "Your approved ads and your next invoices show it. Days you have " +
        "already won keep the name they were won under.",
      page: PAGES.onboarding,
    }
    : {
      subject: "Your company keeps its name for now",
      said: "An operator did not approve this name for your company:",
      then: "Nothing else has changed. You can ask for another name below, " +
        `or write to ${email} if you have questions.`,
      page: PAGES.onboarding,
    };
}

function vatWords(
  event: "vat_approved" | "vat_declined" | "vat_released",
  email: string,
): Words {
  return event === "vat_approved"
    ? {
      subject: "Your VAT id is verified",
      said: "An operator compared your VAT id with your company and verified " +
        "it:",
      then: "Your account can bid as soon as nothing else stands in the way.",
      page: PAGES.onboarding,
      bids: "again",
    }
    : {
      subject: "Your VAT id could not be verified",
      said: "An operator could not confirm that this VAT id belongs to your " +
        "company:",
      then: "Your account can't bid with this VAT id. Correct the company's " +
        `name or the VAT id below, or write to ${email} with an extract ` +
        "from the company register.",
      page: PAGES.onboarding,
      bids: "void",
    };
}
