import type { CDPSession } from "playwright-core";
import { type Picture, readPicture } from "./picture.ts";

/** Pixels of a page, to either side, that are one dot of a kept picture. */
export const DOT = 8;

/** A whole page as it is compared: drawn small by the browser itself. */
export async function pictureOf(session: CDPSession): Promise<Picture> {
  return readPicture(await capture(session, 1 / DOT));
}

/** A whole page as a PNG file. */
export async function capture(
  session: CDPSession,
  scale = 1,
): Promise<Uint8Array> {
  const { cssContentSize } = await session.send("Page.getLayoutMetrics");
  const { width, height } = cssContentSize;
  const { data } = await session.send("Page.captureScreenshot", {
    format: "png",
    optimizeForSpeed: true,
    captureBeyondViewport: true,
    clip: { x: 0, y: 0, width, height, scale },
  });
  return Uint8Array.fromBase64(data);
}
