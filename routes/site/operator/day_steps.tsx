/**
 * A day's settlement as steps in words. Until the day has settled they name no
 * amount, no bidder and nothing that leads to one (contract §2.2).
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type {
  DeskCandidate,
  DeskDay,
} from "../../../domain/settlement/read_desk_day.ts";
import type { DayNotice } from "../../../domain/events/day_notice.ts";
import type { ArchiveTask } from "../../../domain/invoices/archive_task.ts";
import type { Invoice } from "../../../domain/invoices/invoice.ts";
import type { LedgerEntry } from "../../../domain/ledger/entry.ts";
import type { OutboxMail } from "../../../domain/mail/outbox_mail.ts";
import type {
  Candidate,
  CandidateStep,
} from "../../../domain/settlement/settlement.ts";
import { showEuros } from "../../../domain/text/euros.ts";
import type { TimelineStep } from "../ui/timeline.tsx";
import { Instant } from "../ui/instant.tsx";
import { accountPath } from "./paths.ts";

/** All that happened to a day, and what is still to come, in its order. */
export function dayStepsOf(day: DeskDay): TimelineStep[] {
  return [...auctionSteps(day), ...candidateSteps(day), ...endSteps(day)];
}

function auctionSteps({ state, untold }: DeskDay): TimelineStep[] {
  const { phase, openedAt, closesAt, closedAt, bidCount } = state;
  const bidders = bidCount === 1 ? "1 bidder" : `${bidCount} bidders`;
  const opened: TimelineStep = openedAt === null
    ? phase === "IDLE"
      ? { atMs: null, state: "ahead", says: "It opens at its hour" }
      : { atMs: null, state: "wrong", says: "It was missed, and took no bid" }
    : { atMs: Date.parse(openedAt), state: "done", says: "Opened for bids" };
  if (closedAt === null) {
    const isOver = phase === "CLOSED";
    const closing: TimelineStep = {
      atMs: null,
      state: isOver ? "now" : "ahead",
      says: isOver
        ? `Time is up, with ${bidders}`
        : closesAt === null
        ? "It closes at its hour"
        : (
          <>
            It closes <Instant atMs={Date.parse(closesAt)} />, with {bidders}
            {" "}
            so far
          </>
        ),
    };
    return [opened, closing];
  }
  const closed: TimelineStep = {
    atMs: Date.parse(closedAt),
    state: "done",
    says: `Closed, with ${bidders}`,
  };
  return [opened, closed, ...toldSteps(untold.closed, "that it is closed")];
}

/** Said only while somebody is still to be told. */
function toldSteps(notice: DayNotice | null, what: string): TimelineStep[] {
  if (notice === null) return [];
  return [{ atMs: null, state: "now", says: `Bidders are told ${what}` }];
}

function candidateSteps(day: DeskDay): TimelineStep[] {
  return day.candidates.map((one, at) => {
    const { candidate } = one;
    const isSettled = day.settledAtMs !== null;
    return {
      atMs: null,
      // Whoever was not needed waits for nothing.
      state: isSettled ? "done" : STEP_WORDS[candidate.step].state,
      says: (
        <>
          <strong>Candidate {at + 1}</strong>
          {isSettled && <Bidder candidate={candidate} />}
          {isSettled && candidate.step === "waiting" && ", not needed"}
          {!isSettled && candidate.step === "waiting" && ", waits for its turn"}
        </>
      ),
      parts: [
        ...moveSteps(candidate),
        ...isSettled ? outcomeSteps(one) : [],
      ],
    };
  });
}

function Bidder({ candidate: { accountId, bidId } }: { candidate: Candidate }) {
  return (
    <>
      , <a href={accountPath(accountId)}>{accountId}</a> with{" "}
      <code>{bidId}</code>
    </>
  );
}

const STEP_WORDS: Readonly<
  Record<CandidateStep, Pick<TimelineStep, "state"> & { says: string }>
> = {
  waiting: { state: "ahead", says: "Waits for its turn" },
  creating: { state: "now", says: "Account, ad and card still qualify" },
  itemizing: { state: "now", says: "Its invoice was begun" },
  finalizing: { state: "now", says: "The bid is on the invoice" },
  paying: { state: "now", says: "The invoice is final, and the charge began" },
  voiding: { state: "wrong", says: "Not paid: the invoice is cancelled" },
  won: { state: "done", says: "Paid: the day is sold" },
  passed_over: { state: "done", says: "Passed over" },
};

/** The steps that were written down; of earlier versions, only the last. */
function moveSteps(candidate: Candidate): TimelineStep[] {
  const { step, stepSinceMs, note } = candidate;
  const moves = candidate.moves ??
    (step === "waiting" ? [] : [{ step, atMs: stepSinceMs }]);
  return moves.map((move, at) => {
    const isLast = at === moves.length - 1;
    const words = STEP_WORDS[move.step];
    const says: Child = (
      <>
        {words.says}
        {move.step === "passed_over" && passedOverWords(candidate)}
        {isLast && note !== null && (
          <>
            : <span class="quiet">{note}</span>
          </>
        )}
      </>
    );
    return { atMs: move.atMs, state: isLast ? words.state : "done", says };
  });
}

function passedOverWords({ passedOverAs }: Candidate): string {
  if (passedOverAs === null) return ", since the day went to another";
  return passedOverAs === "void" ? ", and its bid is void" : ", unpaid";
}

/** What was written because of a candidate, once the day has settled. */
function outcomeSteps(
  { candidate, invoice, archived, entries, mail }: DeskCandidate,
): TimelineStep[] {
  return [
    ...invoice === null ? [] : invoiceSteps(invoice),
    ...entries.map(({ atMs, kind, id }): TimelineStep => ({
      atMs,
      state: "done",
      says: (
        <>
          Booked: {ENTRY_WORDS[kind]}, <code>{id}</code>
        </>
      ),
    })),
    ...archived === null ? [] : [archiveStep(archived)],
    ...candidate.mailId === undefined ? [] : [mailStep(mail)],
  ];
}

const ENTRY_WORDS: Readonly<Record<LedgerEntry["kind"], string>> = {
  sale: "the sale",
  late_payment: "a payment that goes back",
  refund: "a refund",
  dispute: "a dispute",
  commission: "a partner’s commission",
  payout: "a payout",
};

function invoiceSteps(invoice: Invoice): TimelineStep[] {
  const { number, totalCents, state, finalizedAtMs, money } = invoice;
  const made: TimelineStep = {
    atMs: finalizedAtMs,
    state: "done",
    says: (
      <>
        Invoice <code>{number}</code> over {showEuros(totalCents)}, {state}
      </>
    ),
  };
  const notes = invoice.creditNotes.map((note): TimelineStep => ({
    atMs: note.createdAtMs,
    state: "done",
    says: (
      <>
        Credit note <code>{note.number}</code> over {showEuros(note.totalCents)}
      </>
    ),
  }));
  const moneyStep = MONEY_STEPS[money];
  return [
    made,
    ...notes,
    ...moneyStep === undefined ? [] : [{ atMs: null, ...moneyStep }],
  ];
}

const MONEY_STEPS: Readonly<
  Partial<Record<Invoice["money"], Omit<TimelineStep, "atMs">>>
> = {
  refunding: { state: "now", says: "The money is being given back" },
  refund_failed: {
    state: "wrong",
    says: "The money could not be given back, and is not tried any more",
  },
  refunded: { state: "done", says: "The money was given back" },
  written_off: { state: "wrong", says: "A dispute took the money" },
};

function archiveStep({ state, attempts }: ArchiveTask): TimelineStep {
  if (state === "stored") {
    return {
      atMs: null,
      state: "done",
      says: "The document is in the archive",
    };
  }
  return state === "waiting"
    ? {
      atMs: null,
      state: "now",
      says: `The document is yet to be archived, after ${attempts} attempts`,
    }
    : { atMs: null, state: "wrong", says: "The document can’t be archived" };
}

function mailStep(mail: OutboxMail | null): TimelineStep {
  if (mail === null) {
    return {
      atMs: null,
      state: "done",
      says: "Its owner was written to; mails are kept for 7 days",
    };
  }
  const { state, sentAtMs, attempts } = mail;
  if (state === "sent") {
    return { atMs: sentAtMs, state: "done", says: "Mail to its owner left" };
  }
  return state === "waiting"
    ? {
      atMs: null,
      state: "now",
      says: `The mail to its owner waits, after ${attempts} attempts`,
    }
    : {
      atMs: null,
      state: "wrong",
      says: "The mail to its owner could not be delivered",
    };
}

function endSteps(day: DeskDay): TimelineStep[] {
  const { settlement, settledAtMs, spotlight, untold, candidates } = day;
  if (settledAtMs === null) {
    if (settlement === null) {
      return [{ atMs: null, state: "ahead", says: "It is settled" }];
    }
    const { attempts, dueAtMs } = settlement;
    return [{
      atMs: null,
      state: attempts > 1 ? "wrong" : "now",
      says: (
        <>
          Being settled; the next try is at <Instant atMs={dueAtMs} />
        </>
      ),
    }];
  }
  const isSold = candidates.some(({ candidate }) => candidate.step === "won") ||
    spotlight?.contentType === "paid_advertisement";
  return [
    {
      atMs: settledAtMs,
      state: "done",
      says: isSold
        ? "Settled: its advertisement is shown"
        : "Settled: nobody won, so a house advertisement is shown",
    },
    ...toldSteps(untold.settled, "that they have not won"),
    ...spotlight?.removedAtMs
      ? [removedStep(spotlight.removedAtMs, spotlight.removalReason)]
      : [],
  ];
}

function removedStep(atMs: number, reason: string | null): TimelineStep {
  return {
    atMs,
    state: "wrong",
    says: (
      <>
        Removed: <span dir="auto">{reason ?? "no reason was given"}</span>
      </>
    ),
  };
}
