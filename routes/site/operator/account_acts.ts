import {
  approveRename,
  refuseRename,
} from "../../../domain/accounts/decide_rename.ts";
import {
  approvableVatId,
  approveVat,
  declineVat,
  heldVatId,
  releaseVat,
} from "../../../domain/accounts/decide_vat.ts";
import { vatCaseOf } from "../../../domain/accounts/vat_claim.ts";
import { waitingRename } from "../../../domain/accounts/rename.ts";
import type { Account } from "../../../domain/accounts/account.ts";
import type {
  AccountOrder,
  DecisionServices,
} from "../../../domain/accounts/decide_about_account.ts";
import { hasLostDispute } from "../../../domain/accounts/eligibility.ts";
import {
  liftSuspension,
  suspendAccount,
} from "../../../domain/accounts/suspend_account.ts";
import {
  hasRefusedCard,
  liftRefusal,
} from "../../../domain/cards/lift_refusal.ts";
import {
  approvePartner,
  endPartner,
  refusePartner,
} from "../../../domain/partners/decide_partner.ts";
import type { Partner } from "../../../domain/partners/partner.ts";
import { liftBlock, namesOfLost } from "../../../domain/disputes/lift_block.ts";

/** Something an operator decides about an account, on its page or by the API. */
export interface AccountAct {
  decide(services: DecisionServices, order: AccountOrder): Promise<Account>;
  /** Whether the account's page offers it. */
  isOffered(account: Account): boolean;
  /** What of the owner's is decided about; absent for nothing. */
  about?(account: Account, partner: Partner | null): string | null;
  /** Whether it goes by the company's name as the operator saw it. */
  goesByName?: boolean;
  /** What the operator does, as a heading and a button. */
  title: string;
  /** What follows, said before it is done. */
  effect: string;
  /** What is said once it is done. */
  done: string;
  button: "main" | "danger";
}

/** What is decided about where somebody asks to be a partner. */
function pitchOf(_: Account, partner: Partner | null): string | null {
  return partner?.pitch ?? null;
}

/** Every act by the last part of its addresses. */
const ACCOUNT_ACTS = {
  suspend: {
    decide: suspendAccount,
    isOffered: ({ suspendedAtMs }) => suspendedAtMs === null,
    title: "Suspend the account",
    effect: "It can’t bid or submit advertisements until you lift this. Bids " +
      "of it whose day settles meanwhile are void. Its owner is told your " +
      "reason by mail and on the account page.",
    done: "The account is suspended, and its owner is told.",
    button: "danger",
  },
  lift_suspension: {
    decide: liftSuspension,
    isOffered: ({ suspendedAtMs }) => suspendedAtMs !== null,
    title: "Lift the suspension",
    effect: "It can bid again as soon as nothing else stands in the way, and " +
      "bids of it that still stand count again. Its owner is told your reason " +
      "by mail.",
    done: "The suspension was lifted, and the owner is told.",
    button: "main",
  },
  lift_block: {
    decide: liftBlock,
    isOffered: hasLostDispute,
    about: namesOfLost,
    title: "Lift the block of a lost dispute",
    effect:
      "Disputes that were lost no longer keep it from bidding, nor bids of " +
      "it that still stand from winning; one that is still open does. Its " +
      "owner is told your reason by mail.",
    done: "The block was lifted, and the owner is told.",
    button: "main",
  },
  lift_refusal: {
    decide: liftRefusal,
    isOffered: hasRefusedCard,
    title: "Lift the refusal of a card",
    effect:
      "A refused card no longer keeps it from bidding, and can be saved " +
      "again. Its owner is told your reason by mail.",
    done: "The refusal was lifted, and the owner is told.",
    button: "main",
  },
  approve_name: {
    decide: approveRename,
    isOffered: (account) => waitingRename(account) !== null,
    about: (account) => waitingRename(account)?.name ?? null,
    title: "Approve the new name",
    effect: "The company has this name from then on: its approved " +
      "advertisements and its next invoices show it. Its owner is told your " +
      "reason by mail.",
    done: "The company has its new name, and its owner is told.",
    button: "main",
  },
  refuse_name: {
    decide: refuseRename,
    isOffered: (account) => waitingRename(account) !== null,
    about: (account) => waitingRename(account)?.name ?? null,
    title: "Refuse the new name",
    effect:
      "The company keeps the name it has. Its owner is told your reason " +
      "by mail and on the company’s page.",
    done: "The company keeps its name, and its owner is told.",
    button: "danger",
  },
  approve_vat: {
    decide: approveVat,
    isOffered: (account) => approvableVatId(account) !== null,
    about: approvableVatId,
    goesByName: true,
    title: "Approve the VAT id",
    effect:
      "The VAT id is this account’s from then on, or stays so. Where another " +
      "account holds it, release it there first. Its owner is told your reason by mail.",
    done: "The VAT id is the account’s, and its owner is told.",
    button: "main",
  },
  decline_vat: {
    decide: declineVat,
    isOffered: (account) => vatCaseOf(account) !== null,
    about: (account) => vatCaseOf(account)?.vatId ?? null,
    title: "Decline the VAT id",
    effect: "The account can’t bid with this VAT id. Its owner is told your " +
      "reason by mail and on the company’s page.",
    done: "The VAT id was declined, and the owner is told.",
    button: "danger",
  },
  release_vat: {
    decide: releaseVat,
    isOffered: (account) => heldVatId(account) !== null,
    about: heldVatId,
    title: "Release the VAT id",
    effect: "The account loses its VAT id and can’t bid until you approve it " +
      "again; another account may have it. Bids of it whose day settles " +
      "meanwhile are void. Its owner is told your reason by mail.",
    done: "The VAT id was released, and the owner is told.",
    button: "danger",
  },
  approve_partner: {
    decide: approvePartner,
    isOffered: ({ partnership }) =>
      partnership?.state === "applied" || partnership?.state === "ended",
    about: pitchOf,
    title: "Approve as a partner",
    effect: "Once its account at the processor is complete, its links count " +
      "and it earns 10 % of what those it brings pay. Its owner is told your " +
      "reason by mail.",
    done: "The partner is approved, and its owner is told.",
    button: "main",
  },
  refuse_partner: {
    decide: refusePartner,
    isOffered: ({ partnership }) => partnership?.state === "applied",
    about: pitchOf,
    title: "Refuse as a partner",
    effect: "It does not become a partner; it may apply again. Its owner is " +
      "told your reason by mail and on the partner page.",
    done: "The partner was refused, and its owner is told.",
    button: "danger",
  },
  end_partner: {
    decide: endPartner,
    isOffered: ({ partnership }) => partnership?.state === "approved",
    title: "End the partnership",
    effect: "Its links no longer count, and invoices from now on bring it no " +
      "commission. What it earned before stays its own. Its owner is told " +
      "your reason by mail and on the partner page.",
    done: "The partnership has ended, and the owner is told.",
    button: "danger",
  },
} as const satisfies Readonly<Record<string, AccountAct>>;

/** Names an act. */
export type AccountActName = keyof typeof ACCOUNT_ACTS;

/** Every act's name, in the order in which they are offered. */
export const ACCOUNT_ACT_NAMES = Object.keys(ACCOUNT_ACTS) as AccountActName[];

/** The act of a name, with its type widened. */
export function accountAct(name: AccountActName): AccountAct {
  return ACCOUNT_ACTS[name];
}
