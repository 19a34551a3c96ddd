/**
 * What reaches out of the process besides the processor: mail, documents of
 * strangers, the registry of VAT ids.
 *
 * @module
 */
import type { Config } from "../config/config.ts";
import type { VatSource } from "../domain/accounts/vat_registry.ts";
import type { Ids, Log, Services } from "../domain/ports.ts";
import { startTimer } from "../adapters/time/system_time.ts";
import { StoreAlarm } from "../domain/alerts/store_alarm.ts";
import { withAlertWebhook } from "../domain/alerts/webhook_mailer.ts";
import { createFetcher } from "../adapters/fetcher/create_fetcher.ts";
import { notifyOperators } from "../adapters/fetcher/notify_operators.ts";
import { createMailer } from "../adapters/mail/create_mailer.ts";
import { readVatId } from "../adapters/vies/read_vat_id.ts";
import { VIES_ADDRESS, viesRegistry } from "../adapters/vies/vies_registry.ts";
import type { Development } from "./development.ts";

/** What the outside is reached with. */
export interface OutsideOptions {
  config: Config;
  log: Log;
  /** Aborted when the service stops: what waits for others lets go. */
  stopping: AbortSignal;
  ids: Ids;
  development?: Development | null;
}

/** The ports to the outside. */
export interface Outside extends Pick<Services, "mailer" | "fetcher"> {
  vatRegistry: VatSource;
  /** Tells operators that the store is down, past the outbox in it. */
  alarm: StoreAlarm;
  close(): Promise<void>;
}

/** Joins the adapters; none of them reaches out before it is asked to. */
export function openOutside(options: OutsideOptions): Outside {
  const { config, log, stopping, development } = options;
  const { seller } = config.settings;
  const common = {
    userAgent: `Spotlight (+${config.settings.baseUrl})`,
    log,
    stopping,
  };
  const registryAt = (address: string, allowLoopback: boolean) =>
    viesRegistry({
      // With caps of its own: strangers' documents never use them up.
      fetcher: createFetcher({ ...common, allowLoopback }),
      log,
      address,
      requesterVatId: seller.vatId,
    });
  const registry = development
    ? simulatedRegistry(development, (address) => registryAt(address, true))
    : { ...registryAt(VIES_ADDRESS, false), close: () => Promise.resolve() };
  const fetcher = createFetcher({
    ...common,
    allowLoopback: isOnLoopback(config),
  });
  const { settings } = config;
  const submitter = createMailer({
    url: config.mailUrl,
    from: { name: seller.name, email: seller.email },
    stopping,
  });
  const mailer = withAlertWebhook(
    submitter,
    notifyOperators(common),
    settings.alertWebhookUrl,
  );
  const { ids } = options;
  const alarm = new StoreAlarm({ mailer, ids, log, settings, startTimer });
  return {
    mailer,
    fetcher,
    alarm,
    vatRegistry: registry,
    close() {
      alarm.close();
      return registry.close();
    },
  };
}

/** Whether we are on loopback, where documents over http may be fetched. */
function isOnLoopback({ settings }: Config): boolean {
  const { hostname } = new URL(settings.authUrl);
  return settings.environment === "development" &&
    ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/** The simulator's registry; the simulator is started when it is first asked. */
function simulatedRegistry(
  { startVies }: Pick<Development, "startVies">,
  registryAt: (address: string) => VatSource,
): VatSource & { close(): Promise<void> } {
  let starting: ReturnType<typeof startVies> | null = null;
  let registry: VatSource | null = null;
  return {
    read: readVatId,
    async check(vatId) {
      const { address } = await (starting ??= startVies());
      registry ??= registryAt(address);
      return await registry.check(vatId);
    },
    async close() {
      await (await starting)?.close();
    },
  };
}
