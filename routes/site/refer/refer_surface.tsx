import { parseCode } from "../../../domain/partners/create_link.ts";
import { findCountingLink } from "../../../domain/partners/refer.ts";
import { PAGES } from "../../../domain/pages.ts";
import { PAGE_ANSWERS } from "../../errors/page_surface.tsx";
import { requireOwnOrigin } from "../../middleware/origin.ts";
import { limitPerson } from "../../middleware/person_limits.ts";
import { readSessionGate, seeOther } from "../../middleware/session.ts";
import type { Html } from "../../pages/html.ts";
import { privateAnswer } from "../../pages/page_answer.ts";
import { route, type RouteContext, type Surface } from "../../route_table.ts";
import { Button, Form } from "../pages/forms.tsx";
import { Page } from "../pages/page.tsx";
import type { SignInParts } from "../sign_in/sign_in_parts.ts";
import { ADVERTISE_PAGE } from "../ui/stage.tsx";
import { keepCode, keptCode } from "./referral_cookie.ts";
import { PartnerSees } from "./referral_words.tsx";

const PATH = "/r/:code";

/** Where partners' links lead: what a cookie is for is asked before it is set. */
export function referSurface(parts: SignInParts): Surface {
  const { settings } = parts.services;
  return {
    prefix: "/r",
    enter: [
      requireOwnOrigin(settings.baseUrl),
      readSessionGate(parts),
      limitPerson(parts),
    ],
    routes: [
      route("GET", PATH, (context) => ask(context, parts)),
      route("POST", PATH, (context) => remember(context, parts)),
    ],
    answers: PAGE_ANSWERS,
  };
}

async function ask(
  context: RouteContext,
  parts: SignInParts,
): Promise<Response> {
  const code = await countingCode(context, parts);
  if (code === null) return seeOther(PAGES.home);
  const kept = keptCode(context);
  // Who agreed once is not asked again, and the first link counts.
  if (kept !== null) return seeOther(advertisePath(kept));
  return privateAnswer(context, <ReferPage code={code} />);
}

async function remember(
  context: RouteContext,
  parts: SignInParts,
): Promise<Response> {
  const code = await countingCode(context, parts);
  if (code === null) return seeOther(PAGES.home);
  const first = keptCode(context) ?? code;
  const { settings } = parts.services;
  return seeOther(advertisePath(first), [keepCode(first, settings)]);
}

/** The code of the address, if sign-ups by it count. */
async function countingCode(
  context: RouteContext,
  { services }: SignInParts,
): Promise<string | null> {
  const code = parseCode(context.req.param("code") ?? null);
  if (code === null) return null;
  const link = await findCountingLink(services, code);
  return link === null ? null : code;
}

function advertisePath(code: string): string {
  return `${ADVERTISE_PAGE}?ref=${code}`;
}

function ReferPage({ code }: { code: string }): Html {
  return (
    <Page
      title="Recommended to you"
      heading="A partner recommends Spotlight to you"
    >
      <p class="lead">
        Spotlight shows one advertisement a day. Companies bid for a day; the
        highest bid has the whole stage.
      </p>
      <PartnerSees />
      <h2>May we remember this for 30 days?</h2>
      <p>
        If you agree, your browser keeps one cookie with the code of the link,
        so that your partner is credited also if you sign up later. It is used
        for nothing else, and deleted once you have signed up.
      </p>
      <Form action={`/r/${code}`}>
        <Button>Agree and go on</Button>
      </Form>
      <p>
        <a href={advertisePath(code)}>Go on without a cookie</a>
      </p>
    </Page>
  );
}
