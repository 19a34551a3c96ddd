import type { Services } from "../ports.ts";
import type { NewAccessToken } from "./access_token.ts";
import type { Grant, Scope } from "./grant.ts";
import type { LineEnd } from "./refresh_line.ts";

/** What tokens are exchanged and ended with: of the store what takes turns. */
export interface ExchangeServices
  extends Pick<Services, "clock" | "ids" | "keys" | "log" | "settings"> {
  store: Pick<Services["store"], "transact" | "isEmbedded">;
}

/** What a client gets; the texts are shown only here. */
export interface IssuedTokens {
  accessToken: string;
  accessLifetimeMs: number;
  refreshToken: string;
  refreshEndsAtMs: number;
  /** Of the access token. */
  scopes: readonly Scope[];
  grant: Grant;
}

/** What the client is told of tokens that are saved. */
export function issuedTokens(
  grant: Grant,
  access: NewAccessToken,
  refresh: LineEnd,
): IssuedTokens {
  return {
    accessToken: access.text,
    accessLifetimeMs: access.lifetimeMs,
    refreshToken: refresh.text,
    refreshEndsAtMs: refresh.line.endsAtMs,
    scopes: access.scopes,
    grant,
  };
}
