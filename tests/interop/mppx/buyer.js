/**
 * Buys a day's figures with mppx, as an agent would: its fetch meets the 402,
 * has a shared payment token granted, answers the challenge and reads the
 * receipt. Prints one JSON line of what it saw.
 *
 * Usage: node buyer.js '{"url":…,"processorUrl":…,"secretKey":…,"card":…}'
 */
// By names in a variable: Deno, which checks this folder too, has none of them.
const load = (name) => import(name);
const { Challenge, Receipt } = await load("mppx");
const { Mppx, stripe } = await load("mppx/client");

const { url, processorUrl, secretKey, card } = JSON.parse(process.argv[2]);
const seen = { granted: [], credentials: [], failures: [] };

/** What the buyer's own agent provider would do for it. */
async function createToken(
  { amount, currency, expiresAt, networkId, paymentMethod },
) {
  const answer = await fetch(
    `${processorUrl}/v1/test_helpers/shared_payment/granted_tokens`,
    {
      method: "POST",
      headers: {
        authorization: `Bearer ${secretKey}`,
        "stripe-version": "2026-04-22.preview",
        "content-type": "application/x-www-form-urlencoded",
      },
      body: new URLSearchParams({
        payment_method: paymentMethod,
        "usage_limits[currency]": currency,
        "usage_limits[max_amount]": amount,
        "usage_limits[expires_at]": String(expiresAt),
        "seller_details[network_business_profile]": networkId,
      }),
    },
  );
  const { id, error } = await answer.json();
  if (id === undefined) throw new Error(error?.message);
  seen.granted.push({ id, amount, currency, networkId });
  return id;
}

const mppx = Mppx.create({
  methods: [stripe({ createToken, paymentMethod: card })],
  polyfill: false,
  maxPaymentRetries: 1,
});
mppx.onCredentialCreated(({ challenge, credential }) => {
  seen.credentials.push({ credential, challenge });
});
mppx.onPaymentFailed(({ error }) => {
  seen.failures.push(String(error));
});

const answer = await mppx.fetch(url);
const body = await answer.json();
const paid = answer.status === 200;

/** The same credential once more, without mppx's help. */
async function repeat() {
  const [{ credential }] = seen.credentials;
  const again = await fetch(url, { headers: { authorization: credential } });
  const { type } = await again.json();
  return {
    status: again.status,
    type,
    challenge: Challenge.fromResponse(again).id,
  };
}

process.stdout.write(JSON.stringify({
  ...seen,
  status: answer.status,
  body,
  receipt: paid ? Receipt.fromResponse(answer) : null,
  again: await repeat(),
}));
