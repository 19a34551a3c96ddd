import type { Html } from "../../pages/html.ts";
import { Facts } from "../pages/page.tsx";

/** What somebody without an agent does to have one, and what it may and can't do. */
export function NoAgent({ authUrl }: { authUrl: string }): Html {
  const address = `${authUrl}/mcp`;
  return (
    <>
      <p>
        No agent is connected yet. Give the one you use this address. It opens a
        page here on which you decide what it may do.
      </p>
      <div class="paste">
        <pre tabindex={0}><code>{address}</code></pre>
      </div>
      <section>
        <h2>Where to paste it</h2>
        <Facts
          of={[
            [
              "Claude",
              "Settings, Connectors, Add custom connector: name it Spotlight, paste the address, then Connect.",
            ],
            [
              "Claude Code",
              <>
                Run{" "}
                <code>claude mcp add --transport http spotlight {address}
                </code>, then <code>/mcp</code> in a session.
              </>,
            ],
            [
              "ChatGPT",
              "Settings, Apps, Advanced settings: switch on developer mode. Then Create app, with the address and OAuth.",
            ],
            [
              "Cursor, VS Code and others",
              <a href="/hosts">The lines for each host and framework</a>,
            ],
            [
              "An agent of your own",
              <a href="/developers#which-client-to-take">
                Which client to take: tools, command line, typed client or HTTP
              </a>,
            ],
          ]}
        />
      </section>
      <section>
        <h2>What it may do is up to you</h2>
        <p>
          See figures, bids and invoices; write ads and submit them for review;
          bid, within the highest bid, the most for a day and the last day that
          you set. You can change all of it here at any time, or stop the agent.
        </p>
        <p>
          It never sees a card’s number, never bids beyond your limits, can’t
          change your company’s VAT id or your e-mail address, and can’t let
          anybody else in.
        </p>
      </section>
    </>
  );
}
