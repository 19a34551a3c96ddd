import type Stripe from "stripe";
import type {
  AccountWaitsFor,
  ListedTransfer,
  PartnerProcessor,
  ProcessorAccount,
  ProcessorTransfer,
} from "../../domain/payments/processor_partners.ts";
import { outcomeOf } from "./outcome.ts";
import { idOrNull, PAGE_MAX, pageOf, pageParams, wholeList } from "./pages.ts";

/** Connected accounts and transfers behind the domain's port. */
export function partnerCalls(
  { accounts, accountLinks, transfers }: Stripe,
): PartnerProcessor {
  const withReversals = async (transfer: Stripe.Transfer) =>
    toTransfer(transfer, await reversalsOf(transfers, transfer));
  return {
    createPartnerAccount: ({ accountId, email, country }, idempotencyKey) =>
      outcomeOf(() =>
        accounts.create({
          type: "express",
          country,
          email,
          capabilities: { transfers: { requested: true } },
          metadata: { account_id: accountId },
        }, { idempotencyKey }), toAccount),
    openPartnerSetUp: ({ id, returnUrl, refreshUrl }, idempotencyKey) =>
      outcomeOf(() =>
        accountLinks.create({
          account: id,
          type: "account_onboarding",
          return_url: returnUrl,
          refresh_url: refreshUrl,
        }, { idempotencyKey }), ({ url }) => ({ url })),
    retrievePartnerAccount: (id) =>
      outcomeOf(() => accounts.retrieve(id), toAccount),
    listPartnerAccounts: (createdMs, cursor, limit) =>
      outcomeOf(
        () => accounts.list(pageParams(createdMs, cursor, limit)),
        pageOf(toAccount),
      ),
    deletePartnerAccount: (id, idempotencyKey) =>
      outcomeOf(async () => {
        await accounts.del(id, undefined, { idempotencyKey });
        return { id };
      }),
    createTransfer: (input, idempotencyKey) =>
      outcomeOf(async () =>
        await withReversals(
          await transfers.create({
            amount: input.amountCents,
            currency: "eur",
            destination: input.destination,
            transfer_group: input.group,
            metadata: input.metadata,
          }, { idempotencyKey }),
        )
      ),
    retrieveTransfer: (id) =>
      outcomeOf(async () => await withReversals(await transfers.retrieve(id))),
    findTransfer: (group) =>
      outcomeOf(async () => {
        const found = await transfers.list({ transfer_group: group, limit: 2 });
        const [transfer] = wholeList(found, "transfers of one payout");
        return transfer === undefined ? null : await withReversals(transfer);
      }),
    listTransfers: (createdMs, cursor, limit) =>
      outcomeOf(
        () => transfers.list(pageParams(createdMs, cursor, limit)),
        pageOf(toListed),
      ),
  };
}

function toAccount(account: Stripe.Account): ProcessorAccount {
  const { id, metadata, details_submitted, payouts_enabled } = account;
  const isReady = payouts_enabled &&
    account.capabilities?.transfers === "active";
  return {
    id,
    accountId: metadata?.["account_id"] ?? null,
    country: account.country ?? null,
    detailsSubmitted: details_submitted,
    payoutsEnabled: isReady,
    waitsFor: isReady ? null : waitsFor(account),
  };
}

function waitsFor(
  { details_submitted, requirements }: Stripe.Account,
): AccountWaitsFor {
  if (requirements?.disabled_reason?.startsWith("rejected.")) return "refused";
  const wanted = [
    ...requirements?.currently_due ?? [],
    ...requirements?.past_due ?? [],
  ];
  return wanted.length > 0 || !details_submitted ? "owner" : "processor";
}

/** A transfer shows the last 10 itself. */
async function reversalsOf(
  transfers: Stripe["transfers"],
  { id, reversals }: Stripe.Transfer,
): Promise<Stripe.TransferReversal[]> {
  if (!reversals.has_more) return reversals.data;
  const all = await transfers.listReversals(id, { limit: PAGE_MAX });
  return wholeList(all, "reversals of one transfer");
}

function toListed(
  { id, amount, created, destination, metadata }: Stripe.Transfer,
): ListedTransfer {
  return {
    id,
    destination: idOrNull(destination) ?? "",
    amountCents: amount,
    createdAtMs: created * 1_000,
    metadata,
  };
}

/** The processor lists what came back newest first. */
function toTransfer(
  transfer: Stripe.Transfer,
  reversals: readonly Stripe.TransferReversal[],
): ProcessorTransfer {
  return {
    ...toListed(transfer),
    reversals: reversals.toReversed()
      .map(({ id, amount }) => ({ id, amountCents: amount })),
  };
}
