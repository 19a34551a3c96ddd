/** Browsers by what only they say, those that others imitate last. */
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMac OS X\b/, "Mac"],
  [/\bLinux\b/, "Linux"],
];

/** A browser as a person would call it, such as `Firefox on Windows`. */
export function browserName(userAgent: string): string {
  const first = (names: readonly [RegExp, string][]) =>
    names.find(([shape]) => shape.test(userAgent))?.[1];
  const browser = first(BROWSERS) ?? "Browser";
  const system = first(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}
