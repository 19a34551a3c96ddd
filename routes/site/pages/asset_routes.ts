import { asset, binaryAsset, HOUR, YEAR } from "../../assets.ts";
import { FONTS } from "../../pages/fonts.ts";
import { FAVICON, STYLE } from "../../pages/style.ts";
import type { Route } from "../../route_table.ts";

/** Published documents in Markdown, by their path on the site. */
export type Documents = Readonly<Record<`/${string}.md`, string>>;

/** The files that pages and robots ask for. */
export function assetRoutes(): Route[] {
  return [
    asset("/style.css", "text/css; charset=utf-8", STYLE, YEAR),
    asset("/favicon.svg", "image/svg+xml", FAVICON, HOUR),
    ...Object.values(FONTS).map(({ path, bytes }) =>
      binaryAsset(path.replace(/\?.*/, ""), "font/woff2", bytes, YEAR)
    ),
  ];
}
