import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  countMail,
  MAIL_QUOTA_MS,
  type MailQuota,
} from "../../../domain/sign_in/mail_quota.ts";

Deno.test("countMail() never admits more than the limit within any hour", () => {
  const pauses = fc.array(fc.nat(MAIL_QUOTA_MS / 3), { maxLength: 60 });
  fc.assert(
    fc.property(pauses, fc.integer({ min: 1, max: 6 }), (all, limit) => {
      let nowMs = 0;
      let quota: MailQuota | null = null;
      const sent: number[] = [];
      for (const pauseMs of all) {
        nowMs += pauseMs;
        const verdict = countMail(quota, "hash", limit, nowMs);
        const recent = sent.filter((atMs) => atMs > nowMs - MAIL_QUOTA_MS);
        assertEquals(verdict.admitted, recent.length < limit);
        if (!verdict.admitted) continue;
        sent.push(nowMs);
        quota = verdict.quota;
        assert(quota.sentAtMs.length <= limit);
      }
    }),
  );
});

Deno.test("countMail() says when the next mail may go", () => {
  const before = { hash: "h", sentAtMs: [0, 500], expiresAtMs: MAIL_QUOTA_MS };
  const refused = countMail(before, "h", 2, 1_000);
  assert(!refused.admitted);
  assertEquals(refused.retryAfterS, MAIL_QUOTA_MS / 1_000 - 1);
  const afterMs = 1_000 + refused.retryAfterS * 1_000;
  assert(countMail(before, "h", 2, afterMs).admitted);
  assert(!countMail(before, "h", 2, afterMs - 1).admitted);
});
