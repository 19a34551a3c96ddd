/** What clients are told to ask for first, as challenges say it. */
export const WORKING_SET =
  "account:read account:write reports:read bids:read bids:write " +
  "creatives:read creatives:write invoices:read";
