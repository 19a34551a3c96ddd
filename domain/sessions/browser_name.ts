import type { Session } from "./session.ts";

/** Longest part of a browser's own description that is looked at. */
const USER_AGENT_MAX = 200;

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
  const described = userAgent.slice(0, USER_AGENT_MAX);
  const first = (names: readonly [RegExp, string][]) =>
    names.find(([shape]) => shape.test(described))?.[1];
  const browser = first(BROWSERS) ?? "Browser";
  const system = first(SYSTEMS);
  return system === undefined ? browser : `${browser} on ${system}`;
}

/** The browser of a session, by its name. */
export function browserOf(
  { browser, userAgent = "" }: Pick<Session, "browser" | "userAgent">,
): string {
  return browser ?? browserName(userAgent);
}
