import { assertEquals } from "@std/assert";
import { browserName } from "../../../domain/sessions/browser_name.ts";

const MOZILLA = "Mozilla/5.0";
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

const NAMES: readonly [string, string][] = [
  [
    `${MOZILLA} (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0`,
    "Edge on Windows",
  ],
  [
    `${MOZILLA} (X11; CrOS x86_64 1) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36`,
    "Chrome on ChromeOS",
  ],
  [
    `${MOZILLA} (iPhone; CPU iPhone OS 20_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/20.0 Mobile/15E148 Safari/604.1`,
    "Safari on iPhone",
  ],
  [
    `${MOZILLA} (Linux; Android 16; K) ${WEBKIT} SamsungBrowser/30.0 Chrome/150.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet on Android",
  ],
  [
    `${MOZILLA} (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0`,
    "Firefox on Mac",
  ],
  ["curl/8.0", "Browser"],
  ["", "Browser"],
];

for (const [userAgent, name] of NAMES) {
  Deno.test(`browserName() knows ${name} from ${userAgent.slice(0, 40)}`, () => {
    assertEquals(browserName(userAgent), name);
  });
}
