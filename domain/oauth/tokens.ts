import { createHash } from "node:crypto";
import { ACCESS_TOKEN_MS } from "../limits.ts";
import type { Services } from "../ports.ts";
import { refuse } from "../refusal.ts";
import type { AccessToken, Bearer, Grant } from "./grant.ts";
import { covers, type Resource } from "./resource.ts";

/** Begins every access token, for secret scanners and support. */
export const ACCESS_TOKEN_PREFIX = "svc_at_";
/** Begins every authorization code. */
export const AUTHORIZATION_CODE_PREFIX = "svc_ac_";

/**
 * `svc_at_<grant id>_<secret>`. The secret has a fixed length, so the split is
 * one-to-one although both parts may contain `_`.
 */
const ACCESS_TOKEN_SHAPE = /^svc_at_([A-Za-z0-9_-]{1,64})_[A-Za-z0-9_-]{43}$/;

/** Whether a text has the shape of an authorization code. */
export function isAuthorizationCode(text: string): boolean {
  return /^svc_ac_[A-Za-z0-9_-]{43}$/.test(text);
}

/** The grant that an access token's text names; `null` for another text. */
export function grantIdOfAccessToken(text: string): string | null {
  return ACCESS_TOKEN_SHAPE.exec(text)?.[1] ?? null;
}

/** A token's text, shown once, and the row that is kept of it. */
export interface Issued<Row> {
  text: string;
  row: Row;
}

/** The only form in which a token is stored: its SHA-256, hex. */
export function tokenHash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Makes an access token of 1 hour; `secret` is 256 bits from `ids.secret()`. */
export function newAccessToken(
  grant: Pick<Grant, "id" | "scopes" | "resources">,
  secret: string,
  nowMs: number,
): Issued<AccessToken> {
  const text = `${ACCESS_TOKEN_PREFIX}${grant.id}_${secret}`;
  return {
    text,
    row: {
      hash: tokenHash(text),
      grantId: grant.id,
      scopes: grant.scopes,
      resources: grant.resources,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + ACCESS_TOKEN_MS,
      revokedAtMs: null,
    },
  };
}

/**
 * Issues a fresh access token of a live grant.
 *
 * @throws {Refused} `token_invalid` when the grant is unknown or revoked
 */
export function issueAccessToken(
  services: Services,
  grantId: string,
): Promise<Issued<AccessToken>> {
  const secret = services.ids.secret();
  return services.store.transact(async (tx) => {
    const grant = await tx.grants.find(grantId);
    if (grant === null || grant.revokedAtMs !== null) {
      refuse({ code: "token_invalid" });
    }
    const issued = newAccessToken(grant, secret, services.clock.now());
    tx.accessTokens.save(issued.row);
    return issued;
  });
}

/**
 * Checks a bearer token in one strongly consistent read of token and grant,
 * since a revoked token fails the next request. Never tells which check failed,
 * that it is a token for something else included.
 *
 * @throws {Refused} `token_invalid`
 */
export async function checkBearer(
  services: Pick<Services, "store" | "clock">,
  text: string,
  audience: Resource = "agent",
): Promise<Bearer> {
  const grantId = grantIdOfAccessToken(text);
  if (grantId === null) refuse({ code: "token_invalid" });
  const { store, clock } = services;
  const [token, grant] = await store.getMany([
    store.accessTokens.ref(grantId, tokenHash(text)),
    store.grants.ref(grantId),
  ]);
  const alive = token !== null && grant !== null &&
    token.grantId === grant.id && token.revokedAtMs === null &&
    grant.revokedAtMs === null && clock.now() < token.expiresAtMs &&
    covers(token.resources, audience);
  if (!alive) refuse({ code: "token_invalid" });
  const { scopes, resources } = token;
  return { grant: { ...grant, scopes, resources } };
}
