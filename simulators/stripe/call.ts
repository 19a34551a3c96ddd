/**
 * What a route is given to carry out a request: the books, the time, chance
 * and the outcome forced on a payment, if any.
 *
 * @module
 */

import type { Account } from "./account.ts";
import type { Books, Change } from "./books.ts";
import { invalidRequest, resourceMissing } from "./errors.ts";
import { formatId, randomText } from "./ids.ts";
import { API_VERSION } from "./objects.ts";
import type { TableName, Tables } from "./objects.ts";

/** An outcome forced on a payment attempt. */
export type ForcedOutcome =
  | { kind: "decline"; code: string; declineCode: string }
  | { kind: "requires_action" }
  | { kind: "processing" };

/** What one request needs of its surroundings. */
export interface CallSetting {
  /** The processor's state. */
  books: Books;
  /** Time of the request, epoch milliseconds. */
  nowMs: number;
  /** Numbers from 0 up to but not 1. */
  random: () => number;
  /** Address of the simulator, without a slash at its end. */
  baseUrl: string;
  /** Whose account it is. */
  account: Account;
  /** The request as events tell it. */
  request: { id: string | null; idempotency_key: string | null };
  /** Where events are sent; null for nowhere. */
  webhookUrl: string | null;
  /** Takes an outcome forced on the next payment attempt. */
  takeOutcome: () => ForcedOutcome | null;
}

const NAMES: Record<TableName, string> = {
  account: "account",
  balance_transaction: "balance transaction",
  card_behaviour: "card",
  charge: "charge",
  checkout_session: "checkout.session",
  credit_note: "credit_note",
  customer: "customer",
  dispute: "dispute",
  event: "event",
  granted_token: "shared_payment.granted_token",
  granted_token_use: "shared_payment.granted_token",
  hosted_page: "page",
  invoice: "invoice",
  invoice_payment: "invoice_payment",
  invoiceitem: "invoiceitem",
  lost_event: "event",
  payment_intent: "payment_intent",
  payment_method: "PaymentMethod",
  portal_session: "billing_portal.session",
  refund: "refund",
  setup_intent: "setupintent",
  tax_id: "tax_id",
  tax_rate: "tax rate",
  transfer: "transfer",
  transfer_reversal: "transfer_reversal",
  verification_session: "identity.verification_session",
};

/** One request under way, inside one change of the books. */
export class Call {
  /** Time of the request, epoch seconds. */
  readonly now: number;
  /** Ids of the events this request caused, in order. */
  readonly eventIds: string[] = [];

  /** Joins the surroundings of a request with the change it makes. */
  constructor(readonly setting: CallSetting, readonly change: Change) {
    this.now = Math.floor(setting.nowMs / 1_000);
  }

  /** A new id with this prefix. */
  newId(prefix: string): string {
    return formatId(prefix, this.setting.random, this.change.next("objects"));
  }

  /** Random letters and digits, for secrets. */
  newSecret(): string {
    return randomText(this.setting.random, 24);
  }

  /** The object with this id, if there is one. */
  find<N extends TableName>(table: N, id: string): Tables[N] | undefined {
    return this.setting.books.tables[table].get(id);
  }

  /**
   * The object with this id.
   *
   * @param param the parameter that named it; `id` when the path did
   * @throws {ApiError} `resource_missing`: 404 for the path, else 400
   */
  get<N extends TableName>(table: N, id: string, param = "id"): Tables[N] {
    const object = this.find(table, id);
    if (object === undefined) throw resourceMissing(NAMES[table], id, param);
    return object;
  }

  /** The objects filed under a value, newest first. */
  filed<N extends TableName>(
    table: N,
    index: string,
    value: string,
  ): Tables[N][] {
    const ids = this.setting.books.tables[table].filed(index, value);
    return ids.flatMap((id) => this.find(table, id) ?? []);
  }

  /** Stores an object and hands it back. */
  put<N extends TableName>(table: N, object: Tables[N]): Tables[N] {
    this.change.put(table, object);
    return object;
  }

  /** Removes an object. */
  remove(table: TableName, id: string): void {
    this.change.remove(table, id);
  }

  /**
   * Records that something happened to an object, as it now is.
   *
   * @param before the object as it was, when it was updated
   * @param account whose account it happened to, when not our own
   */
  emit(
    type: string,
    object: object,
    before?: object,
    account?: string,
  ): void {
    const { webhookUrl, request } = this.setting;
    const event = this.put("event", {
      id: this.newId("evt"),
      object: "event",
      ...account === undefined ? {} : { account },
      api_version: API_VERSION,
      created: this.now,
      data: before === undefined
        ? { object }
        : { object, previous_attributes: changedMembers(object, before) },
      livemode: false,
      pending_webhooks: webhookUrl === null ? 0 : 1,
      request,
      type,
    });
    this.eventIds.push(event.id);
  }
}

/** Members that have another value now, with the value they had. */
function changedMembers(
  now: object,
  before: object,
): Record<string, unknown> {
  const text = (value: unknown) => JSON.stringify(value);
  return Object.fromEntries(
    Object.entries(before).filter(([name, value]) =>
      text(value) !== text(Reflect.get(now, name))
    ),
  );
}

/** Refuses an amount the card networks can not take. */
export function checkChargeable(amount: number, param = "amount"): void {
  if (amount > MAX_CHARGE_CENTS) {
    throw invalidRequest("Amount must be no more than €999,999.99", {
      code: "amount_too_large",
      param,
    });
  }
  if (amount >= MIN_CHARGE_CENTS) return;
  throw invalidRequest("Amount must be at least €0.50 eur", {
    code: "amount_too_small",
    param,
  });
}

/** Eight digits at most (Stripe API, payment intents). */
export const MAX_CHARGE_CENTS = 99_999_999;

/** The least that is charged: €0.50 (Stripe API, payment intents). */
const MIN_CHARGE_CENTS = 50;
