/** A rule for one kind of trouble. */
interface AlertRule {
  /** What it is called, in mails and as the heading of its runbook. */
  title: string;
  /** Not seen for so long, it is over; where it is read from the store, at once. */
  overAfterMs: number;
}

/** What operators are told of at once. Its runbook is docs/operations.md. */
export const ALERTS = {
  books_differ: { title: "The books differ", overAfterMs: 0 },
  erasure_stuck: { title: "An erasure does not end", overAfterMs: 0 },
  events_stuck: { title: "Events of the processor are stuck", overAfterMs: 0 },
  job_late: { title: "A background job is stuck", overAfterMs: 0 },
  mail_away: { title: "The mail server takes no mail", overAfterMs: 0 },
  processor_refuses: {
    title: "The processor refuses what it has no reason to",
    overAfterMs: 2 * 3_600_000,
  },
  refund_failed: { title: "A refund failed", overAfterMs: 0 },
  refund_waits: {
    title: "A refund waits for another operator",
    overAfterMs: 0,
  },
  review_waits: { title: "An ad waits to be reviewed", overAfterMs: 0 },
  settlement_late: { title: "A day has not settled", overAfterMs: 0 },
  store_unwritable: { title: "The store takes no writes", overAfterMs: 0 },
} as const satisfies Readonly<Record<string, AlertRule>>;

/** Names a kind of trouble. */
export type AlertKind = keyof typeof ALERTS;

/** Something that wants a person now. */
export interface Trouble {
  kind: AlertKind;
  /** The day, job, number or account that it is about; empty for the service itself. */
  subject: string;
}

/** A trouble that operators were told of; its row goes when it is over. */
export interface Alert {
  /** Of a trouble its kind and subject; of the daily mail its day. */
  name: string;
  trouble: Trouble | null;
  sinceMs: number;
  /** When it was last found, to the half hour. */
  seenMs: number;
}

/** What an alert is found by. */
export function alertName({ kind, subject }: Trouble): string {
  return `${kind}:${subject}`;
}

/** A trouble in one line. */
export function troubleLine({ kind, subject }: Trouble): string {
  const { title } = ALERTS[kind];
  return subject === "" ? title : `${title}: ${subject}`;
}
