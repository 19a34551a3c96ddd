const FOLDER = new URL("../fixtures/tls/", import.meta.url);

/**
 * A certificate for `localhost`, `mail.example`, `client.example` and 0.0.0.0,
 * and the authority that signed it.
 */
export const TEST_TLS: { key: string; cert: string; ca: string } = {
  key: Deno.readTextFileSync(new URL("server.key", FOLDER)),
  cert: Deno.readTextFileSync(new URL("server.pem", FOLDER)),
  ca: Deno.readTextFileSync(new URL("ca.pem", FOLDER)),
};
