import type { Json } from "../../../domain/idempotency/canonical_json.ts";
import { PAGES } from "../../../domain/pages.ts";
import type { DataExport } from "../../../domain/privacy/data_requests.ts";
import type { Html } from "../../pages/html.ts";
import { Cards, Facts, Page } from "../pages/page.tsx";
import { EXPORTS_PATH } from "./privacy_paths.ts";

/** What the page shows of a copy: one of the parts that are stored of it. */
export interface ExportPageProps {
  copy: Pick<DataExport, "id" | "parts" | "sections">;
  part: { index: number; text: string };
}

/**
 * A copy of one's data, to be read by a person. One of several parts is shown a
 * part at a time, with where each section begins: a page is bounded, whatever is
 * kept of an account.
 */
export function ExportPage({ copy, part }: ExportPageProps): Html {
  return (
    <Page title="What we keep of you">
      <p>
        <a href={`${EXPORTS_PATH}/${copy.id}/document`}>Download it as JSON</a>
        {" · "}
        <a href={PAGES.privacy}>Back to your data</a>
      </p>
      {copy.parts === 1
        ? <Document of={JSON.parse(part.text)} />
        : <Part copy={copy} part={part} />}
    </Page>
  );
}

function Part({ copy: { id, parts, sections = [] }, part }: ExportPageProps) {
  const to = (index: number) => `${EXPORTS_PATH}/${id}?part=${index + 1}`;
  const { index, text } = part;
  return (
    <>
      <Facts
        of={sections.map(({ section, count, part: first }) => [
          words(section),
          <>
            {count !== null && `${count.toLocaleString("en")}, `}
            <a href={to(first)}>part {first + 1}</a>
          </>,
        ])}
      />
      <section id="part">
        <h2>Part {index + 1} of {parts}</h2>
        <pre>{text}</pre>
        <p>
          {index > 0 && <a href={to(index - 1)}>Part {index}</a>}{" "}
          {index + 1 < parts && <a href={to(index + 1)}>Part {index + 2}</a>}
        </p>
      </section>
    </>
  );
}

function Document({ of: document }: { of: Record<string, Json> }) {
  const entries = Object.entries(document);
  const about = entries.filter(([, value]) => isPlain(value));
  const parts = entries.filter(([, value]) => !isPlain(value));
  return (
    <>
      <Value of={Object.fromEntries(about)} />
      {parts.map(([name, value]) => (
        <section id={name}>
          <h2>{words(name)}</h2>
          <Value of={value} />
        </section>
      ))}
    </>
  );
}

/** Whatever it is: the document may say more one day. */
function Value({ of: value }: { of: Json }): Html {
  if (isPlain(value)) return <>{plain(value)}</>;
  if (Array.isArray(value)) return <Values of={value} />;
  return (
    <Facts
      of={Object.entries(value as Record<string, Json>).map((
        [name, each],
      ) => [words(name), <Value of={each} />])}
    />
  );
}

function Values({ of: values }: { of: readonly Json[] }): Html {
  if (values.length === 0) return <>none</>;
  if (values.every(isPlain)) return <>{values.map(plain).join(", ")}</>;
  return (
    <Cards
      of={values.map((each) => (
        <li>
          <Value of={each} />
        </li>
      ))}
    />
  );
}

function isPlain(value: Json): value is string | number | boolean | null {
  return value === null || typeof value !== "object";
}

function plain(value: Json): string {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}

/** A name of the document in words. */
function words(name: string): string {
  const text = name.replaceAll("_", " ").replace(/\bvat\b/, "VAT");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
