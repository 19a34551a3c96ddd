import type { Config } from "../config/config.ts";
import { ToolFailure } from "./command.ts";

/**
 * What `openKv` is given for the store of this configuration; undefined is the
 * platform's managed store.
 */
export function storeLocation({ store }: Config): string | undefined {
  switch (store.kind) {
    case "file":
      return store.path;
    case "remote":
      return store.url;
    case "managed":
      return undefined;
  }
}

/**
 * The same for a store that has to be there already.
 *
 * @throws {ToolFailure} when its file is not, since opening would create it
 */
export async function existingStore(
  config: Config,
): Promise<string | undefined> {
  const { store } = config;
  if (store.kind === "file") {
    try {
      await Deno.stat(store.path);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      throw new ToolFailure(
        `Cannot find a store: nothing answers at ${config.settings.baseUrl} ` +
          `and there is no ${store.path}`,
      );
    }
  }
  return storeLocation(config);
}
