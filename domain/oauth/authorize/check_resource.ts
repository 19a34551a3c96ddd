import { parseResources } from "../resource.ts";
import type { OauthError } from "../oauth_error.ts";
import { type Asked, oauthError } from "./check.ts";

/** Every resource that is named has to be one of ours (RFC 8707 §2). */
export function checkResource(
  { parameters, settings }: Asked,
): OauthError | null {
  return parseResources(settings, parameters.all("resource")) === null
    ? oauthError("invalid_target", "A resource is not known")
    : null;
}
