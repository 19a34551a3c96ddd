import { assertEquals } from "@std/assert";

/**
 * What never stands in a log: tokens, codes, verifiers, cookies, mail addresses,
 * query strings of a redirect.
 */
const SECRETS: readonly RegExp[] = [
  /svc_(at|rt|ac)_[A-Za-z0-9]/,
  /svc_(sess|sess_preview|sign_in)=/,
  /code_verifier=|client_assertion=/,
  /[?&](code|state)=/,
  /[\w.+-]+@[\w-]+(\.[\w-]+)+/,
];

/** Fails when the log of a service tells what it must keep. */
export function assertLogKeepsSecrets(logged: string): void {
  const told = logged.split("\n").filter((line) =>
    SECRETS.some((secret) => secret.test(line))
  );
  assertEquals(told, [], "the log keeps secrets and addresses");
}
