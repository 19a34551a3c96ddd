import { assertEquals, assertThrows } from "@std/assert";
import { readSmtpAddress } from "../../../adapters/mail/smtp_mailer.ts";

Deno.test("readSmtpAddress() reads host, port and login", () => {
  assertEquals(readSmtpAddress("smtp://ada%40x:p%3Aw@Mail.Example:2525"), {
    host: "mail.example",
    port: 2525,
    secure: false,
    requireTLS: true,
    auth: { user: "ada@x", pass: "p:w" },
  });
});

Deno.test("readSmtpAddress() knows the ports of submission", () => {
  assertEquals(readSmtpAddress("smtp://mail.example").port, 587);
  assertEquals(readSmtpAddress("smtps://mail.example").port, 465);
  assertEquals(readSmtpAddress("smtps://mail.example").secure, true);
});

const HOSTS: [string, boolean][] = [
  ["localhost", false],
  ["127.0.0.1", false],
  ["127.8.9.10", false],
  ["[::1]", false],
  ["mail.example", true],
  ["127.0.0.1.example", true],
  ["localhost.example", true],
  ["10.0.0.1", true],
  ["0.0.0.0", true],
  ["[::2]", true],
];
for (const [host, required] of HOSTS) {
  Deno.test(`readSmtpAddress() says whether ${host} needs TLS`, () => {
    const address = readSmtpAddress(`smtp://${host}`);
    assertEquals(address.requireTLS, required);
  });
}

for (const text of ["http://mail.example", "smtp://", "mail", "smtp://%zz@x"]) {
  Deno.test(`readSmtpAddress() refuses "${text}" without repeating it`, () => {
    const error = assertThrows(() => readSmtpAddress(text), TypeError);
    assertEquals(
      error.message,
      "Cannot read MAIL_URL: it must be smtp(s)://[user:password@]host[:port]",
    );
  });
}
