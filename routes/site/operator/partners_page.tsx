import type {
  Partner,
  PartnerState,
} from "../../../domain/partners/partner.ts";
import { isVerifiedPartner } from "../../../domain/partners/partner.ts";
import type { Payout } from "../../../domain/partners/payout.ts";
import type { PartnerBalance } from "../../../domain/partners/partner_balance.ts";
import { earnedCents } from "../../../domain/partners/partner_balance.ts";
import type { Html } from "../../pages/html.ts";
import { showEuros, signedEuros } from "../../../domain/text/euros.ts";
import { Moment } from "../pages/moment.tsx";
import { Cards, Page } from "../pages/page.tsx";
import { count } from "./webhook_events.tsx";
import { Around } from "../ui/around.tsx";
import { Table } from "../ui/table.tsx";
import { accountPath, PARTNERS_PATH } from "./paths.ts";

/** A partner with its money. */
export interface DeskPartner {
  partner: Partner;
  /** Its company, or its address. */
  name: string;
  balance: PartnerBalance;
  /** The payout under way; null for none. */
  payout: Payout | null;
}

const STATES: Readonly<Record<PartnerState, string>> = {
  applied: "Waiting for you",
  approved: "Approved",
  refused: "Refused",
  ended: "Ended",
};

/** `/operator/partners`: who asks to be one, and how all of them stand. */
export function PartnersPage(
  { waiting, others, next, isFurtherOn }: {
    /** Who waits for a decision, longest first. */
    waiting: readonly DeskPartner[];
    /** Everybody else, who was decided last first. */
    others: readonly DeskPartner[];
    /** Where each list goes on; null at its end. */
    next: { waiting: string | null; cursor: string | null };
    /** Whether there are pages before this one. */
    isFurtherOn: boolean;
  },
): Html {
  return (
    <Page title="Partners">
      <Waiting waiting={waiting} next={next.waiting} />
      {others.length > 0 && (
        <Table
          id="partners"
          caption="Partners and what they earned"
          columns={[
            { name: "Partner" },
            { name: "State" },
            { name: "Account", roomy: true },
            { name: "Earned", numeric: true, roomy: true },
            { name: "To pay out", numeric: true },
            { name: "Under way", numeric: true, roomy: true },
            { name: "Paid", numeric: true },
          ]}
          rows={others.map(({ partner, name, balance, payout }) => [
            <a href={accountPath(partner.accountId)}>
              <bdi>{name}</bdi>
            </a>,
            stateWords(partner),
            accountWords(partner),
            signedEuros(earnedCents(balance)),
            signedEuros(balance.payableCents),
            <UnderWay balance={balance} payout={payout} />,
            showEuros(balance.paidCents),
          ])}
        />
      )}
      <Around
        label="Pages of partners"
        ways={[
          next.cursor !== null &&
          [pathOf({ cursor: next.cursor }), "Decided earlier", "next"],
          isFurtherOn && [PARTNERS_PATH, "First page"],
        ]}
      />
    </Page>
  );
}

/** Who waits for a decision, with what each says of itself. */
function Waiting(
  { waiting, next }: {
    waiting: readonly DeskPartner[];
    next: string | null;
  },
): Html {
  return (
    <section>
      <h2>Waiting for you</h2>
      <Cards
        none="Nobody asks to be a partner."
        of={waiting.map(({ partner, name }) => (
          <li>
            <p>
              <strong>
                <a href={accountPath(partner.accountId)}>
                  <bdi>{name}</bdi>
                </a>
              </strong>, since <Moment atMs={partner.appliedAtMs} />
            </p>
            <p dir="auto">{partner.pitch}</p>
            <p class="quiet">Approve or refuse it on the account’s page.</p>
          </li>
        ))}
      />
      <Around
        label="Pages of applications"
        ways={[
          next !== null &&
          [pathOf({ waiting: next }), "Later applications", "next"],
        ]}
      />
    </section>
  );
}

function pathOf(from: Record<string, string>): string {
  return `${PARTNERS_PATH}?${new URLSearchParams(from)}`;
}

function accountWords({ connectedAccount: account }: Partner): string {
  if (account === null) return "None yet";
  if (account.payoutsEnabled) return "Can be paid";
  switch (account.waitsFor) {
    case "refused":
      return "Refused by the processor";
    case "processor":
      return "The processor is checking";
    default:
      return "Waits for the partner";
  }
}

function UnderWay(
  { balance, payout }: Pick<DeskPartner, "balance" | "payout">,
): Html {
  const trouble = payout?.trouble ?? null;
  return (
    <>
      {showEuros(balance.requestedCents)}
      {payout !== null && trouble !== null && (
        <>
          <br />
          <span class="quiet">
            {payout.id}, {count(payout.attempts, "attempt")} so far: {trouble}
          </span>
        </>
      )}
    </>
  );
}

function stateWords(partner: Partner): string {
  const isWaiting = partner.state === "approved" && !isVerifiedPartner(partner);
  return isWaiting ? "Approved, can’t be paid yet" : STATES[partner.state];
}
