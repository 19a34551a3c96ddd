import { brandName } from "../../../domain/cards/brand_name.ts";
import { isRefused } from "../../../domain/cards/card.ts";
import type { Dispute } from "../../../domain/disputes/dispute.ts";
import type { GrantState } from "../../../domain/oauth/grant_state.ts";
import { showEuros } from "../../../domain/text/euros.ts";
import { Button, Form, Hidden } from "../pages/forms.tsx";
import type { Html } from "../../pages/html.ts";
import { Moment } from "../pages/moment.tsx";
import { Cards } from "../pages/page.tsx";
import { DayTime } from "../ui/day_time.tsx";
import { Table } from "../ui/table.tsx";
import type { AccountView } from "./account_view.ts";
import { accountPath, dayPath } from "./paths.ts";

/** Whether a bid stands, and never how much: bids are sealed. */
export function LiveBids({ liveDays }: Pick<AccountView, "liveDays">): Html {
  return (
    <section>
      <h2>Bids that stand</h2>
      {liveDays.length === 0 && <p>No bid of it stands.</p>}
      {liveDays.length > 0 && (
        <ul>
          {liveDays.map((day) => (
            <li>
              A bid for{" "}
              <a href={dayPath(day)}>
                <DayTime day={day} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** What each dispute waits for, and a look at the processor. */
export function Disputes(
  { account, disputes, sealedPayments }: Pick<
    AccountView,
    "account" | "disputes" | "sealedPayments"
  >,
): Html | null {
  if (disputes.length === 0) return null;
  return (
    <section>
      <h2>Disputes</h2>
      <p>
        A bank decides them: answer with evidence at the processor. The block of
        a lost one is lifted above.
      </p>
      <Cards
        of={disputes.map((dispute) => (
          <li>
            <DisputeLine
              dispute={dispute}
              isSealed={sealedPayments.has(dispute.paymentId)}
            />
            <Form action={`${accountPath(account.id)}/look_at_dispute`}>
              <Hidden name="about" value={dispute.id} />
              <Button kind="plain">
                Ask how it stands <span class="unseen">with {dispute.id}</span>
              </Button>
            </Form>
          </li>
        ))}
      />
    </section>
  );
}

function DisputeLine(
  { dispute, isSealed }: { dispute: Dispute; isSealed: boolean },
) {
  const { id, state, amountCents, reason, openedAtMs, evidenceDueAtMs } =
    dispute;
  return (
    <p>
      <code>{id}</code>
      {!isSealed && ` over ${showEuros(amountCents)}`} ({reason}), opened{" "}
      <Moment atMs={openedAtMs} />, {state}
      {state === "open" && evidenceDueAtMs !== null && (
        <>
          ; evidence is due by <Moment atMs={evidenceDueAtMs} />
        </>
      )}
    </p>
  );
}

/** Its newest invoices, each with the day that it is for. */
export function Invoices({ invoices }: Pick<AccountView, "invoices">): Html {
  return (
    <section>
      <h2>Invoices</h2>
      {invoices.length === 0
        ? <p>It has no invoice of a day that has settled.</p>
        : (
          <Table
            id="invoices"
            caption="The newest first"
            columns={[
              { name: "Number" },
              { name: "Day" },
              { name: "Total", numeric: true },
              { name: "State" },
            ]}
            rows={invoices.map(({ number, day, totalCents, state, money }) => [
              <code>{number}</code>,
              <a href={dayPath(day)}>
                <DayTime day={day} short />
              </a>,
              showEuros(totalCents),
              money === "sold" || money === "none"
                ? state
                : `${state}, ${money.replaceAll("_", " ")}`,
            ])}
          />
        )}
    </section>
  );
}

/** Its cards, as little of them as is known. */
export function CardsSaved(
  { account, cards }: Pick<AccountView, "account" | "cards">,
): Html {
  return (
    <section>
      <h2>Cards</h2>
      {cards.length === 0 && <p>No card is saved.</p>}
      {cards.length > 0 && (
        <ul>
          {cards.map((card) => (
            <li>
              {brandName(card.brand)} ·· {card.last4}, until{" "}
              {String(card.expMonth).padStart(2, "0")}/{card.expYear}
              {card.id === account.defaultPaymentMethodId && ", default"}
              {isRefused(card) && ", refused"}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const STATE_WORDS: Readonly<Record<GrantState, string>> = {
  live: "connected",
  unused: "allowed, not used yet",
  ended: "ended",
  revoked: "revoked",
};

/** The agents it connected last. */
export function Agents({ agents }: Pick<AccountView, "agents">): Html {
  return (
    <section>
      <h2>Agents</h2>
      {agents.length === 0 && <p>No agent was ever connected.</p>}
      {agents.length > 0 && (
        <ul>
          {agents.map(({ grant, state }) => (
            <li>
              <bdi>{grant.client.name}</bdi>, {STATE_WORDS[state]}, since{" "}
              <Moment atMs={grant.createdAtMs} />: {grant.scopes.join(", ")}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
