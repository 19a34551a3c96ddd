import { asset, assetHeaders, fixedFile, HOUR } from "../../assets.ts";
import { CLIENTS_PATH, PACKAGE_PATH } from "../../discovery/catalog.ts";
import { gzipped } from "../../http/content_encoding.ts";
import { tarOf } from "../../http/tar.ts";
import type { Route } from "../../route_table.ts";

/** The files of the clients: texts by their path in the package. */
export type ClientFiles = readonly (readonly [path: string, text: string])[];

/** Media types by the ends of names. */
const TYPES: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  ts: "application/typescript; charset=utf-8",
  json: "application/json",
  md: "text/markdown; charset=utf-8",
};

/**
 * The command line and the typed client, for whoever knows only the address:
 * each file at its path, so that Deno runs the program from there, and all of
 * them as the package that npm and `npx` take.
 */
export function clientRoutes(files: ClientFiles): Route[] {
  const archive = gzipped(
    tarOf(files.map(([path, text]) => [`package/${path}`, text])),
  );
  return [
    fixedFile(PACKAGE_PATH, archive, assetHeaders("application/gzip", HOUR)),
    ...files.map(([path, text]) =>
      asset(`${CLIENTS_PATH}/${path}`, typeOf(path), text, HOUR)
    ),
  ];
}

function typeOf(path: string): string {
  const ending = path.slice(path.lastIndexOf(".") + 1);
  return TYPES[ending] ?? "text/plain; charset=utf-8";
}
