/**
 * Imports that still close a circle, as `importing → imported`. The list may
 * only get shorter: a circle that none of them closes fails, and so does one
 * of them that closes none any more.
 */
export const KNOWN_BETWEEN_FILES: readonly string[] = [
  "domain/accounts/account.ts → domain/accounts/mail_choices.ts",
  "domain/accounts/account.ts → domain/accounts/rename.ts",
  "domain/accounts/account.ts → domain/accounts/vat_check.ts",
  "domain/accounts/account.ts → domain/accounts/vat_claim.ts",
  "domain/accounts/vat_check.ts → domain/accounts/vat_claim.ts",
  "domain/clicks/click_salt.ts → domain/ports.ts",
  "domain/creatives/advertiser_name.ts → domain/creatives/creative.ts",
  "domain/creatives/creative_note.ts → domain/ports.ts",
  "domain/disputes/dispute.ts → domain/ledger/book_entry.ts",
  "domain/invoices/archive_task.ts → domain/ports.ts",
  "domain/mail/outbox_mail.ts → domain/ports.ts",
  "domain/oauth/oauth_error.ts → domain/refusal.ts",
  "domain/oauth/resource.ts → domain/ports.ts",
  "domain/operations/list_job_runs.ts → domain/operations/run_job.ts",
  "domain/paid_metrics/payment_need.ts → domain/refusal.ts",
  "domain/passkeys/passkey_challenge.ts → domain/sign_in/sign_in_services.ts",
  "domain/payments/customer_task.ts → domain/ports.ts",
  "domain/payments/processor.ts → domain/payments/processor_books.ts",
  "domain/payments/processor.ts → domain/payments/processor_cards.ts",
  "domain/payments/processor.ts → domain/payments/processor_credit_notes.ts",
  "domain/payments/processor.ts → domain/payments/processor_disputes.ts",
  "domain/payments/processor.ts → domain/payments/processor_identity.ts",
  "domain/ports.ts → domain/accounts/account_note.ts",
  "domain/ports.ts → domain/sessions/credentials.ts",
  "domain/ports.ts → domain/store_lists.ts",
  "domain/rate_limit/charge.ts → domain/rate_limit/policy.ts",
];
