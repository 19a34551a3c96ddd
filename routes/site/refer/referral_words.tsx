import type { Html } from "../../pages/html.ts";

/** What who was referred is told of it, before the sign-up. */
export function PartnerSees(): Html {
  return (
    <p>
      If you sign up by this link, the partner earns 10 % of what your invoices
      of the first 12 months come to without VAT. You pay nothing more. The
      partner learns that somebody signed up, and later totals over a month or
      longer and several invoices; never your name, a bid, a day or an invoice.
    </p>
  );
}
