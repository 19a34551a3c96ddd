import type { Fetcher } from "../../domain/fetching/fetcher.ts";
import { abortAfter } from "../time/system_time.ts";

/** What the messages are sent with. */
interface NotifyOptions {
  /** Names us to the server. */
  userAgent: string;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
}

/**
 * Posts to an address that the configuration names. No stranger can name it, so
 * that it may be in our own network, where a chat of one's own is, and nothing
 * but the time is guarded. No redirect is followed.
 */
export function notifyOperators(
  { userAgent, stopping }: NotifyOptions,
): Pick<Fetcher, "notify"> {
  return {
    async notify(url, { body, headers, timeoutMs }) {
      const { signal, callOff } = abortAfter(timeoutMs);
      try {
        const response = await fetch(url, {
          method: "POST",
          body,
          headers: { ...headers, "user-agent": userAgent },
          redirect: "manual",
          signal: AbortSignal.any([signal, stopping]),
        });
        await response.body?.cancel();
        return response.status;
      } finally {
        callOff();
      }
    },
  };
}
