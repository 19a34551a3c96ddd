import { FRESH_SCOPES, type Scope, SCOPES } from "../domain/oauth/grant.ts";

/** Scopes that change something, in the order of contract §9.8. */
const WRITE_SCOPES: readonly Scope[] = SCOPES.filter((scope) =>
  scope.endsWith(":write")
);

/** Whether a scope changes something. */
export function isWriteScope(scope: Scope): boolean {
  return WRITE_SCOPES.includes(scope);
}

/** Whether a scope is granted only shortly after a sign-in. */
export function needsFreshSignIn(scopes: readonly Scope[]): boolean {
  return scopes.some((scope) => FRESH_SCOPES.includes(scope));
}
