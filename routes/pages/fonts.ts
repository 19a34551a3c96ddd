import latin from "@fontsource-variable/familjen-grotesk/files/familjen-grotesk-latin-wght-normal.woff2" with {
  type: "bytes",
};
import latinExt from "@fontsource-variable/familjen-grotesk/files/familjen-grotesk-latin-ext-wght-normal.woff2" with {
  type: "bytes",
};
import { type Versioned, versioned } from "./versioned.ts";

/** A font file and where pages find it. */
export interface Font {
  bytes: Uint8Array<ArrayBuffer>;
  /** Changes with the file, so that it may be kept for a year. */
  path: Versioned;
  /** The characters that are taken from it, as style sheets name them. */
  range: string;
}

/**
 * The face of headlines and of our name: Familjen Grotesk, under the SIL Open
 * Font License. A browser loads the second only for a page that needs it.
 */
export const FONTS: Readonly<Record<"latin" | "latinExt", Font>> = {
  latin: font(
    latin,
    "latin",
    "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC," +
      "U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193," +
      "U+2212,U+2215,U+FEFF,U+FFFD",
  ),
  latinExt: font(
    latinExt,
    "latin_ext",
    "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF," +
      "U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB," +
      "U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF",
  ),
};

function font(
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  range: string,
): Font {
  return { bytes, path: versioned(`/fonts/${name}.woff2`, bytes), range };
}
