import favicon from "./icons/favicon.ico" with { type: "bytes" };
import large from "./icons/large_icon.png" with { type: "bytes" };
import touch from "./icons/touch_icon.png" with { type: "bytes" };
import { type Versioned, versioned } from "./versioned.ts";

/** A picture of our sign, and where browsers find it. */
export interface Icon {
  path: Versioned;
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Its width and height. */
  size: number;
}

/** What was drawn once of our sign: `tests/routes/site/pages/head_test.ts` draws it again. */
export const ICONS: Readonly<Record<"favicon" | "touch" | "large", Icon>> = {
  favicon: icon("/favicon.ico", "image/x-icon", favicon, 32),
  touch: icon("/apple-touch-icon.png", "image/png", touch, 180),
  large: icon("/icon.png", "image/png", large, 512),
};

function icon(
  path: `/${string}`,
  contentType: string,
  bytes: Uint8Array<ArrayBuffer>,
  size: number,
): Icon {
  return { path: versioned(path, bytes), contentType, bytes, size };
}

/** Where the web app manifest is. */
export const MANIFEST_PATH = "/manifest.webmanifest";

/** The website as an app on a phone (W3C Web Application Manifest). */
export const MANIFEST: string = JSON.stringify({
  name: "Spotlight",
  description: "One advertisement a day",
  start_url: "/",
  display: "minimal-ui",
  background_color: "#fbf8f2",
  theme_color: "#fbf8f2",
  icons: [
    { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
    ...[ICONS.touch, ICONS.large].map(({ path, contentType, size }) => ({
      src: path,
      sizes: `${size}x${size}`,
      type: contentType,
    })),
  ],
});
