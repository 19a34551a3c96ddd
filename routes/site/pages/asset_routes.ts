import { asset, HOUR, versionedAsset } from "../../assets.ts";
import { FONTS } from "../../pages/fonts.ts";
import { ICONS, MANIFEST, MANIFEST_PATH } from "../../pages/icons.ts";
import { FAVICON, STYLE, STYLE_PATH } from "../../pages/style.ts";
import type { Route } from "../../route_table.ts";

/** Published documents in Markdown, by their path on the site. */
export type Documents = Readonly<Record<`/${string}.md`, string>>;

/** The files that pages and robots ask for. */
export function assetRoutes(): Route[] {
  return [
    versionedAsset(STYLE_PATH, "text/css; charset=utf-8", STYLE),
    asset("/favicon.svg", "image/svg+xml", FAVICON, HOUR),
    asset(MANIFEST_PATH, "application/manifest+json", MANIFEST, HOUR),
    ...Object.values(ICONS).map(({ path, contentType, bytes }) =>
      versionedAsset(path, contentType, bytes)
    ),
    ...Object.values(FONTS).map(({ path, bytes }) =>
      versionedAsset(path, "font/woff2", bytes)
    ),
  ];
}
