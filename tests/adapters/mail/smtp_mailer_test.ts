import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { MailRefused } from "../../../domain/mail/mailer.ts";
import {
  smtpMailer,
  type SmtpOptions,
} from "../../../adapters/mail/smtp_mailer.ts";
import {
  type SmtpMoment,
  type SmtpServer,
  startSmtpServer,
} from "../../support/smtp_server.ts";
import { TEST_TLS } from "../../support/test_tls.ts";

const MAIL = {
  id: "mail_7Q",
  to: "ada@example.com",
  subject: "Your code – für Ada",
  text: "Your code is 123456.\n.\nA dot alone stays.\n",
};

const FROM = { name: 'Spotlight "SIA"', email: "billing@spotlight.example" };

/** Longer than a busy machine takes. */
const LIMITS = {
  connectionMs: 10_000,
  greetingMs: 10_000,
  socketMs: 10_000,
  totalMs: 30_000,
};

/** For servers that fall silent: whatever comes first, it fails. */
const SHORT = { ...LIMITS, greetingMs: 100, socketMs: 100 };

function mailerTo(server: SmtpServer, options: Partial<SmtpOptions> = {}) {
  return smtpMailer({
    url: `smtp://127.0.0.1:${server.port}`,
    from: FROM,
    stopping: new AbortController().signal,
    limits: LIMITS,
    ...options,
  });
}

Deno.test("the SMTP mailer hands a mail over as it was written", async () => {
  await using server = await startSmtpServer();
  await mailerTo(server).send(MAIL);
  const [mail] = server.mails;
  assertEquals(server.mails.length, 1);
  assertEquals(mail?.from, "billing@spotlight.example");
  assertEquals(mail?.to, ["ada@example.com"]);
  const data = mail?.data ?? "";
  assertStringIncludes(data, "Message-ID: <mail_7Q@spotlight.example>");
  assertStringIncludes(data, "\r\nTo: ada@example.com\r\n");
  assertStringIncludes(data, "Auto-Submitted: auto-generated");
  assertStringIncludes(data, "Your code is 123456.\r\n.\r\nA dot alone stays.");
});

Deno.test("the SMTP mailer names a repeated mail the same", async () => {
  await using server = await startSmtpServer();
  const mailer = mailerTo(server);
  await mailer.send(MAIL);
  await mailer.send(MAIL);
  const ids = server.mails.map(({ data }) => /^Message-ID: .*$/m.exec(data));
  assertEquals(ids[0]?.[0], ids[1]?.[0]);
});

Deno.test("the SMTP mailer takes a subject for one line", async () => {
  await using server = await startSmtpServer();
  const subject = "Hello\r\nBcc: eve@example.com\r\n\r\nBody";
  await mailerTo(server).send({ ...MAIL, subject });
  const { data = "", to } = server.mails[0] ?? {};
  assertEquals(to, ["ada@example.com"]);
  assert(!/^Bcc:/m.test(data), data);
  assertStringIncludes(data, "Subject: Hello Bcc: eve@example.com Body");
});

const NOT_ONE_ADDRESS = [
  "ada@example.com, eve@example.com",
  "ada@example.com\r\nRCPT TO:<eve@example.com>",
  "Ada <ada@example.com>",
  "ada@example.com>",
  '"a b"@example.com',
  "ada",
  "ada@",
  "",
];
for (const to of NOT_ONE_ADDRESS) {
  Deno.test(`the SMTP mailer refuses ${JSON.stringify(to)} unasked`, async () => {
    await using server = await startSmtpServer();
    const mailer = mailerTo(server);
    const error = await assertRejects(
      () => mailer.send({ ...MAIL, to }),
      MailRefused,
    );
    assertEquals(error.status, null);
    assertEquals(server.connections, 0);
  });
}

const REFUSALS: [SmtpMoment, string][] = [
  ["MAIL", "553 5.1.8 Sender unknown: billing@spotlight.example"],
  ["RCPT", "550 5.1.1 No such user ada@example.com"],
  ["DATA", "554 5.7.1 No mail for ada@example.com"],
  ["end of data", "552 5.2.3 Too large for ada@example.com"],
];
for (const [moment, reply] of REFUSALS) {
  Deno.test(`the SMTP mailer takes ${reply.slice(0, 3)} to ${moment} for the last word`, async () => {
    await using server = await startSmtpServer({
      replies: { [moment]: reply },
    });
    const error = await assertRejects(
      () => mailerTo(server).send(MAIL),
      MailRefused,
    );
    assertEquals(error.status, Number(reply.slice(0, 3)));
    assert(!String(error.stack).includes("ada@"));
  });
}

const FOR_NOW: [SmtpMoment, string][] = [
  ["connect", "421 Too busy"],
  ["connect", "554 No service for you"],
  ["connect", "drop"],
  ["connect", "hang"],
  ["EHLO", "hang"],
  ["EHLO", "drop"],
  ["MAIL", "451 Later"],
  ["MAIL", "530 Log in first"],
  ["RCPT", "450 Mailbox busy"],
  ["RCPT", "hang"],
  ["DATA", "drop"],
  ["end of data", "452 No room"],
  ["end of data", "hang"],
  ["end of data", "drop"],
];
for (const [moment, reply] of FOR_NOW) {
  Deno.test(`the SMTP mailer fails for now after "${reply}" to ${moment}`, async () => {
    await using server = await startSmtpServer({
      replies: { [moment]: reply },
    });
    const limits = reply === "hang" ? SHORT : LIMITS;
    const mailer = mailerTo(server, { limits });
    const error = await assertRejects(() => mailer.send(MAIL), Error);
    assert(!(error instanceof MailRefused), String(error));
    assertEquals(server.mails, []);
  });
}

Deno.test("the SMTP mailer fails for now where nobody listens", async () => {
  const server = await startSmtpServer();
  await server[Symbol.asyncDispose]();
  const error = await assertRejects(() => mailerTo(server).send(MAIL), Error);
  assert(!(error instanceof MailRefused));
});

Deno.test("the SMTP mailer ends a session that takes too long in all", async () => {
  await using server = await startSmtpServer({
    replies: { "RCPT": "hang" },
  });
  const limits = { ...LIMITS, socketMs: 60_000, totalMs: 50 };
  await assertRejects(() => mailerTo(server, { limits }).send(MAIL), Error);
});

Deno.test("the SMTP mailer lets go when the service stops", async () => {
  await using server = await startSmtpServer({
    replies: { "RCPT": "hang" },
  });
  const service = new AbortController();
  const limits = { ...LIMITS, socketMs: 60_000, totalMs: 60_000 };
  const stopping = service.signal;
  const reached = server.reached("RCPT");
  const sending = mailerTo(server, { limits, stopping }).send(MAIL);
  const failing = assertRejects(() => sending, Error);
  await reached;
  service.abort();
  await failing;
});

Deno.test("the SMTP mailer logs in with what the address says", async () => {
  const login = { user: "spot light", pass: "p@ss:w/rd" };
  await using server = await startSmtpServer({ login });
  const user = encodeURIComponent(login.user);
  const url = (pass: string) =>
    `smtp://${user}:${encodeURIComponent(pass)}@127.0.0.1:${server.port}`;
  await mailerTo(server, { url: url(login.pass) }).send(MAIL);
  assertEquals(server.mails[0]?.user, login.user);
  const error = await assertRejects(
    () => mailerTo(server, { url: url("wrong") }).send(MAIL),
    Error,
  );
  assert(!(error instanceof MailRefused), "a login is nothing of the mail's");
});

Deno.test("the SMTP mailer speaks TLS from the first byte to smtps", async () => {
  await using server = await startSmtpServer({ tls: "implicit" });
  const url = `smtps://localhost:${server.port}`;
  await mailerTo(server, { url, ca: TEST_TLS.ca }).send(MAIL);
  assertEquals(server.mails[0]?.secure, true);
});

Deno.test("the SMTP mailer sends nothing to a certificate of nobody's", async () => {
  await using server = await startSmtpServer({ tls: "implicit" });
  const url = `smtps://localhost:${server.port}`;
  await assertRejects(() => mailerTo(server, { url }).send(MAIL), Error);
  assertEquals(server.mails, []);
});

Deno.test("the SMTP mailer sends nothing to a server of another name", async () => {
  await using server = await startSmtpServer({ tls: "implicit" });
  const url = `smtps://127.0.0.1:${server.port}`;
  const mailer = mailerTo(server, { url, ca: TEST_TLS.ca });
  await assertRejects(() => mailer.send(MAIL), Error);
  assertEquals(server.mails, []);
});

Deno.test("the SMTP mailer begins TLS before login and mail", async () => {
  const login = { user: "ada", pass: "secret" };
  await using server = await startSmtpServer({ tls: "starttls", login });
  const url = `smtp://ada:secret@0.0.0.0:${server.port}`;
  await mailerTo(server, { url, ca: TEST_TLS.ca }).send(MAIL);
  assertEquals(server.mails[0]?.secure, true);
  assertEquals(server.mails[0]?.user, "ada");
});

Deno.test("the SMTP mailer sends nothing in the clear beyond loopback", async () => {
  await using server = await startSmtpServer();
  // To the system this machine too, to the mailer any other.
  const url = `smtp://0.0.0.0:${server.port}`;
  await assertRejects(() => mailerTo(server, { url }).send(MAIL), Error);
  assertEquals(server.mails, []);
});

Deno.test("the SMTP mailer sends text and HTML as one mail, the text first", async () => {
  await using server = await startSmtpServer();
  const html = "<!doctype html>\n<p>Your code is <b>123456</b>.</p>\n";
  await mailerTo(server).send({ ...MAIL, html });
  const data = server.mails[0]?.data ?? "";
  const [, boundary = ""] =
    /^Content-Type: multipart\/alternative;\s+boundary="([^"]+)"/m
      .exec(data) ?? [];
  assert(boundary !== "", data);
  const [, text = "", rich = "", end = ""] = data.split(`--${boundary}`);
  assertStringIncludes(text, "Content-Type: text/plain; charset=utf-8");
  assertStringIncludes(text, "Your code is 123456.");
  assertStringIncludes(rich, "Content-Type: text/html; charset=utf-8");
  assertStringIncludes(rich, "<b>123456</b>");
  assert(end.startsWith("--"), "two forms and no attachment");
});

Deno.test("the SMTP mailer offers one click to unsubscribe where a mail can be switched off, and nowhere else", async () => {
  await using server = await startSmtpServer();
  const url = `https://spotlight.example/unsubscribe/acc_1~${"a".repeat(150)}`;
  await mailerTo(server).send({ ...MAIL, unsubscribeUrl: url });
  await mailerTo(server).send(MAIL);
  const [offered = "", plain = ""] = server.mails.map(({ data }) => data);
  assertStringIncludes(
    offered.replace(/\r\n[ \t]+/g, " "),
    `\r\nList-Unsubscribe: <${url}>\r\n`,
  );
  assertStringIncludes(
    offered,
    "\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n",
  );
  assert(!/^List-/m.test(plain), plain);
});

for (
  const address of [
    "https://a.example/\r\nBcc: eve@example.com",
    "https://a.example/>, <mailto:eve@example.com",
    "mailto:eve@example.com",
    "https://a.example/ b",
  ]
) {
  Deno.test(`the SMTP mailer puts no ${JSON.stringify(address)} into a header`, async () => {
    await using server = await startSmtpServer();
    await mailerTo(server).send({ ...MAIL, unsubscribeUrl: address });
    const { data = "" } = server.mails[0] ?? {};
    assert(!/^(?:List-|Bcc:)/m.test(data), data);
    assert(!data.includes("eve@"), data);
  });
}
