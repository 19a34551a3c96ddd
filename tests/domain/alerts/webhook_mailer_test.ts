import { parseEmail } from "../../../domain/accounts/email.ts";
import { assertEquals, assertRejects } from "@std/assert";
import {
  WEBHOOK_RECEIVER,
  withAlertWebhook,
} from "../../../domain/alerts/webhook_mailer.ts";
import {
  FetchRefused,
  type Message,
} from "../../../domain/fetching/fetcher.ts";
import { MailRefused } from "../../../domain/mail/mailer.ts";

const HOOK = "https://chat.example/hooks/secret";

const mail = (to: string) => ({
  id: "mail_1",
  to,
  subject: "Spotlight: The books differ: 2026-11-19",
  text: "What to do, and more.",
});

/** A mailer and a fetcher that say what they were given. */
function opened(status: number | Error = 200, url: string | null = HOOK) {
  const mailed: string[] = [];
  const posted: [string, Message][] = [];
  const mailer = withAlertWebhook(
    {
      keepsText: false,
      send: ({ to }) => Promise.resolve(void mailed.push(to)),
    },
    {
      notify(address, message) {
        posted.push([address, message]);
        return typeof status === "number"
          ? Promise.resolve(status)
          : Promise.reject(status);
      },
    },
    url,
  );
  return { mailer, mailed, posted };
}

Deno.test("an alert is posted to the webhook as chats take it: one line, with a time limit", async () => {
  const { mailer, mailed, posted } = opened();
  await mailer.send(mail(WEBHOOK_RECEIVER));
  const [[address, message] = []] = posted;
  assertEquals(address, HOOK);
  assertEquals(JSON.parse(message?.body ?? ""), {
    text: "Spotlight: The books differ: 2026-11-19",
  });
  assertEquals(message?.timeoutMs, 10_000);
  assertEquals(mailed, []);
});

Deno.test("whatever is for a mailbox is mailed as before", async () => {
  for (const url of [HOOK, null]) {
    const { mailer, mailed, posted } = opened(200, url);
    await mailer.send(mail("ada@example.com"));
    assertEquals([mailed, posted], [["ada@example.com"], []]);
  }
});

for (const status of [408, 429, 500, 503]) {
  Deno.test(`a webhook that answers ${status} is tried again`, async () => {
    const { mailer } = opened(status);
    const error = await assertRejects(() =>
      mailer.send(mail(WEBHOOK_RECEIVER))
    );
    assertEquals(error instanceof MailRefused, false);
  });
}

for (const status of [302, 400, 403, 404, 410]) {
  Deno.test(`a webhook that answers ${status} is given up`, async () => {
    const { mailer } = opened(status);
    await assertRejects(
      () => mailer.send(mail(WEBHOOK_RECEIVER)),
      MailRefused,
    );
  });
}

Deno.test("a webhook that can't be reached is tried again", async () => {
  const { mailer } = opened(new FetchRefused());
  await assertRejects(
    () => mailer.send(mail(WEBHOOK_RECEIVER)),
    FetchRefused,
  );
});

Deno.test("whom mails for the webhook are for is no address that sign-in takes", () => {
  assertEquals(parseEmail(WEBHOOK_RECEIVER), null);
});
