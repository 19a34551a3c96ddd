import { assert, assertEquals } from "@std/assert";
import type { DevFile } from "../../tools/dev_file.ts";
import { backupRows } from "../support/backup_rows.ts";
import { seen } from "../support/captured_logs.ts";
import type { ProcessEnd } from "../support/captured_process.ts";
import { DevFolder } from "./dev_service.ts";

const EMAIL = "mara@nordlicht-raeder.example.com";
/** Of the demo's history, whatever the present day is. */
const PAST = dayFromNow(-5);
const TODAY = dayFromNow(0);
const NEXT = dayFromNow(1);

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** What a tool printed; it has to have succeeded. */
// deno-lint-ignore no-explicit-any
function printed({ code, stdout, stderr }: ProcessEnd): any {
  assertEquals([code, stderr], [0, ""]);
  return JSON.parse(stdout);
}

function assertFailed(run: ProcessEnd, code: number, line: string): void {
  assertEquals([run.code, run.stdout], [code, ""]);
  assertEquals(run.stderr.split("\n")[0], line);
}

Deno.test("the tools drive a running service", async (t) => {
  await using folder = await DevFolder.make();
  const file = await folder.start();
  await stepsOfTokens(t, folder, file);
  await stepsOfDays(t, folder, file);
  await stepsOfRefusals(t, folder, file);
  await stepsOfBackup(t, folder);
});

async function stepsOfTokens(
  t: Deno.TestContext,
  folder: DevFolder,
  file: DevFile,
): Promise<void> {
  await t.step("demo:token prints a token the agent API takes", async () => {
    const token = printed(
      await folder.run("demo_token", [
        ...["--account", EMAIL, "--scope", "account:read bids:write"],
        ...["--max-bid-cents", "2000", "--daily-cap-cents", "5000"],
        ...["--days", "7"],
      ]),
    );
    seen.noteMembers(token);
    assertEquals([token.token_type, token.expires_in], ["Bearer", 3_600]);
    const response = await fetch(`${file.auth_url}/v1/agent/me`, {
      headers: { authorization: `Bearer ${token.access_token}` },
    });
    const { mandate, scopes } = await response.json();
    assertEquals(scopes, ["account:read", "bids:write"]);
    assertEquals([mandate.max_bid_cents, mandate.daily_cap_cents], [2e3, 5e3]);
  });

  await t.step(
    "demo:token --minutes prints a token that ends with its mandate",
    async () => {
      const token = printed(
        await folder.run("demo_token", [
          ...["--account", EMAIL, "--scope", "bids:write"],
          ...["--max-bid-cents", "2000", "--daily-cap-cents", "5000"],
          ...["--minutes", "2"],
        ]),
      );
      seen.noteMembers(token);
      // The service's clock goes on between the mandate and its token.
      assert(token.expires_in > 60 && token.expires_in <= 120);
    },
  );

  await t.step("demo:token says why there is no token", async () => {
    const nobody = ["--account", "a@b.c", "--scope", "account:read"];
    assertFailed(
      await folder.run("demo_token", nobody),
      1,
      "Cannot find the account",
    );
    const noMandate = ["--account", EMAIL, "--scope", "bids:write"];
    assertFailed(
      await folder.run("demo_token", noMandate),
      1,
      "Cannot create the grant: bids:write needs a spending mandate",
    );
  });
}

async function stepsOfDays(
  t: Deno.TestContext,
  folder: DevFolder,
  file: DevFile,
): Promise<void> {
  await t.step(
    "auction opens a day ahead, and neither closes nor settles it",
    async () => {
      const act = (action: string) => folder.run("auction", [action, NEXT]);
      assertEquals(printed(await act("status")).phase, "IDLE");
      assertEquals(printed(await act("open")).phase, "OPEN");
      for (const action of ["close", "settle"]) {
        assertFailed(
          await act(action),
          1,
          `Cannot ${action} the auction of ${NEXT}: the day has not begun, ` +
            `wait until ${NEXT}T00:00:00.000Z`,
        );
      }
      assertEquals(printed(await act("status")).phase, "OPEN");
    },
  );

  await t.step(
    "auction takes a day that has begun to its settlement",
    async () => {
      const act = async (action: string) =>
        printed(await folder.run("auction", [action, TODAY]));
      assertEquals((await act("open")).day, TODAY);
      assertEquals((await act("close")).phase, "CLOSED");
      const { settlement, spotlight } = await act("settle");
      assertEquals(settlement.state, "settled");
      const read = await fetch(`${file.base_url}/api/v1/spotlights/${TODAY}`);
      assertEquals((await read.json()).data.headline, spotlight.headline);
    },
  );

  await t.step("auction shows a past demo day as it settled", async () => {
    const day = printed(await folder.run("auction", ["status", PAST]));
    assertEquals([day.phase, day.settlement.state], ["CLOSED", "settled"]);
  });

  await t.step(
    "auction prints the problem and fails when it is refused",
    async () => {
      const day = dayFromNow(2);
      assertFailed(
        await folder.run("auction", ["close", day]),
        1,
        `Cannot close the auction of ${day}: it must be OPEN, current phase ` +
          "is IDLE",
      );
    },
  );
}

async function stepsOfRefusals(
  t: Deno.TestContext,
  folder: DevFolder,
  file: DevFile,
): Promise<void> {
  await t.step("seed refuses a store that is filled", async () => {
    assertFailed(
      await folder.run("seed", []),
      1,
      "Cannot fill the store with demo data: it must be empty",
    );
  });

  await t.step("restore refuses while a service is running", async () => {
    assertFailed(
      await folder.run("restore", []),
      1,
      `Cannot restore while a service answers at ${file.base_url}: stop it ` +
        "first",
    );
  });

  await t.step("a tool with another key is refused", async () => {
    const env = { OPERATOR_KEY: "another-key-of-at-least-thirty-two-bytes" };
    await using other = await DevFolder.make({
      ...folder.env,
      BASE_URL: file.base_url,
      AUTH_URL: file.auth_url,
      ...env,
    });
    assertFailed(
      await other.run("auction", ["status", PAST]),
      1,
      "Cannot authorize the request: the operator key is not valid",
    );
  });
}

async function stepsOfBackup(
  t: Deno.TestContext,
  folder: DevFolder,
): Promise<void> {
  await t.step(
    "backup and restore carry the store to another folder",
    async () => {
      const backup = await folder.run("backup", []);
      assertEquals([backup.code, backup.stderr], [0, ""]);
      await using other = await DevFolder.make();
      const summary = printed(await other.run("restore", [], backup.stdout));
      const rows = backupRows(backup.stdout);
      assertEquals(summary.rows + summary.expired, rows.length);
      assertEquals([summary.consistent, summary.hold], [true, "restored"]);
      const again = await other.run("backup", []);
      assertEquals(backupRows(again.stdout), rows);
      assertRebuilt(await other.run("reindex", []));
      assertFailed(
        await other.run("restore", [], backup.stdout),
        1,
        "Cannot restore: the store must be empty",
      );
      await assertReleases(other);
    },
  );

  await t.step("reindex goes through the running service", async () => {
    assertRebuilt(await folder.run("reindex", []));
    assertFailed(await folder.run("reindex", ["now"]), 2, "Usage: reindex");
  });

  await t.step("release says what its arguments are", async () => {
    const usage =
      "Usage: release [--confirm [--acknowledge ID]... [--erased FILE]...]";
    for (const args of [["now"], ["--confirm", "--acknowledge"]]) {
      assertFailed(await folder.run("release", args), 2, usage);
    }
  });
}

/** Every family was looked at, and nothing was wrong. */
function assertRebuilt(run: Parameters<typeof printed>[0]): void {
  const { families } = printed(run);
  const records = families.map((each: { records: number }) => each.records);
  assert(records.length > 10 && Math.max(...records) > 90);
  for (const { done, written, removed, contested } of families) {
    assertEquals([done, written, removed, contested], [true, 0, 0, 0]);
  }
}

/** The service over a restored store is on hold until the tool releases it. */
async function assertReleases(folder: DevFolder): Promise<void> {
  await folder.start();
  const review = printed(await folder.run("release", []));
  assertEquals([review.on_hold, review.items], [true, []]);
  const released = printed(await folder.run("release", ["--confirm"]));
  assertEquals([released.on_hold, released.left], [false, []]);
  const after = printed(await folder.run("release", []));
  assertEquals([after.on_hold, after.items], [false, []]);
}

Deno.test("the tools say what to do where no service runs", async (t) => {
  await using folder = await DevFolder.make();

  await t.step("auction finds nobody to ask", async () => {
    assertFailed(
      await folder.run("auction", ["status", PAST]),
      1,
      `No service is running in ${folder.dataDir}`,
    );
  });

  await t.step("backup refuses to make up an empty store", async () => {
    const { code, stdout, stderr } = await folder.run("backup", []);
    assertEquals([code, stdout], [1, ""]);
    assert(stderr.startsWith("Cannot find a store: "), stderr);
  });

  await t.step("restore refuses half a backup and writes nothing", async () => {
    const half = '{"format":"spotlight-store","version":1}\n';
    assertFailed(
      await folder.run("restore", [], half),
      1,
      "Cannot restore the backup: it is cut short",
    );
    const { mode } = await Deno.stat(folder.dataDir);
    assertEquals((mode ?? 0) & 0o077, 0);
    assertEquals(printed(await folder.run("seed", ["--days", "3"])), {
      first_day: dayFromNow(-4),
      settled_days: 4,
      advertisers: 13,
    });
  });

  await t.step("seed refuses the store it has filled itself", async () => {
    assertFailed(
      await folder.run("seed", []),
      1,
      "Cannot fill the store with demo data: it must be empty",
    );
  });

  await t.step("dev keeps a store that was seeded before", async () => {
    const file = await folder.start();
    const read = await fetch(`${file.base_url}/api/v1/spotlights?limit=50`);
    const { data } = await read.json();
    // In the last minutes of a day the service settles that as well.
    const today = dayFromNow(0);
    const seeded = data.filter(({ day }: { day: string }) => day < today);
    assertEquals(seeded.length, 3);
    await folder.stop();
  });
});

for (
  const [name, args, line] of [
    ["dev", ["now"], "Usage: dev"],
    ["auction", [], "Usage: auction open|close|settle|status YYYY-MM-DD"],
    [
      "auction",
      ["wipe", PAST],
      "Usage: auction open|close|settle|status YYYY-MM-DD",
    ],
    [
      "auction",
      ["open", "2026-02-30"],
      'Cannot read day "2026-02-30": a day is a calendar date written YYYY-MM-DD',
    ],
    ["demo_token", [], "--account and --scope are needed"],
    ["demo_token", ["--scopes", "x"], "Unknown option '--scopes'"],
    [
      "demo_token",
      ["--account", "a@b.c", "--scope", "x", "--days", "7"],
      "A mandate needs --max-bid-cents, --daily-cap-cents and --days or --minutes",
    ],
    [
      "demo_token",
      [
        ...["--account", "a@b.c", "--scope", "x", "--max-bid-cents", "2000"],
        ...["--daily-cap-cents", "5000", "--days", "7", "--minutes", "2"],
      ],
      "A mandate needs --max-bid-cents, --daily-cap-cents and --days or --minutes",
    ],
    [
      "seed",
      ["--days", "0"],
      '--days must be a whole number from 1 to 3650, current value is "0"',
    ],
    ["seed", ["--seed"], "Option '--seed <value>' argument missing"],
    [
      "backup",
      ["file"],
      "Usage: backup [--require-consistent] [--to FILE] > FILE",
    ],
    [
      "restore",
      ["file"],
      "Usage: restore [--drill] [--unverified] " +
      "(--continuous [--series NAME] | < FILE)",
    ],
  ] as const
) {
  Deno.test(`${[name, ...args].join(" ")} is a usage error`, async () => {
    await using folder = await DevFolder.make();
    assertFailed(await folder.run(name, [...args]), 2, line);
  });
}
