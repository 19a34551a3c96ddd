import arimo from "@expo-google-fonts/arimo/600SemiBold/Arimo_600SemiBold.ttf" with {
  type: "bytes",
};
import familjen from "@expo-google-fonts/familjen-grotesk/600SemiBold/FamiljenGrotesk_600SemiBold.ttf" with {
  type: "bytes",
};
import type { DrawPng } from "../../domain/ports.ts";
import { pngOf } from "./png.ts";

type Library = typeof import("@resvg/resvg-wasm");

/** Once a process: the library takes its code once. */
let loading: Promise<Library> | null = null;

/** Draws with resvg, which is loaded when the first picture is asked for. */
export async function drawPng(
  svg: string,
): ReturnType<DrawPng> {
  const { Resvg } = await (loading ??= load());
  const font = {
    loadSystemFonts: false,
    // A text with a letter that the first lacks, Greek or Cyrillic, is drawn in
    // the second.
    fontBuffers: [familjen, arimo],
    defaultFontFamily: "Familjen Grotesk",
  };
  const drawing = new Resvg(svg, { font });
  const image = drawing.render();
  const { width, height, pixels: rgba } = image;
  const made = await pngOf({ width, height, rgba });
  image.free();
  drawing.free();
  return made;
}

async function load(): Promise<Library> {
  const [library, { default: code }] = await Promise.all([
    import("@resvg/resvg-wasm"),
    import("@resvg/resvg-wasm/index_bg.wasm", { with: { type: "bytes" } }),
  ]);
  await library.initWasm(code);
  return library;
}
