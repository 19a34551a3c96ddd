/** The member states of the European Union, ISO 3166-1 alpha-2. */
export const EU_COUNTRIES: readonly string[] =
  ("AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO " +
    "SE SI SK").split(" ");

/** The other codes that ISO 3166-1 assigns. */
const OTHER_COUNTRIES: readonly string[] =
  ("AD AE AF AG AI AL AM AO AQ AR AS AU AW AX AZ BA BB BD BF BH BI BJ BL BM " +
    "BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU " +
    "CV CW CX DJ DM DO DZ EC EG EH ER ET FJ FK FM FO GA GB GD GE GF GG GH GI " +
    "GL GM GN GP GQ GS GT GU GW GY HK HM HN HT ID IL IM IN IO IQ IR IS JE JM " +
    "JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LY MA MC MD " +
    "ME MF MG MH MK ML MM MN MO MP MQ MR MS MU MV MW MX MY MZ NA NC NE NF NG " +
    "NI NO NP NR NU NZ OM PA PE PF PG PH PK PM PN PR PS PW PY QA RE RS RU RW " +
    "SA SB SC SD SG SH SJ SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ " +
    "TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF " +
    "WS YE YT ZA ZM ZW").split(" ");

const NAMES = new Intl.DisplayNames(["en"], { type: "region" });

/** A country as people choose it. */
export interface Country {
  /** ISO 3166-1 alpha-2. */
  code: string;
  name: string;
}

/** The member states and the other countries, each by their English names. */
export const COUNTRIES: Readonly<Record<"eu" | "other", readonly Country[]>> = {
  eu: named(EU_COUNTRIES),
  other: named(OTHER_COUNTRIES),
};

/** Whether a code names a country. */
export function isCountry(code: string): boolean {
  return isEuCountry(code) || OTHER_COUNTRIES.includes(code);
}

/** Whether a country is in the VAT registry's union. */
export function isEuCountry(code: string): boolean {
  return EU_COUNTRIES.includes(code);
}

/** A country's English name. */
export function countryName(code: string): string {
  return NAMES.of(code) ?? code;
}

function named(codes: readonly string[]): Country[] {
  const countries = codes.map((code) => ({ code, name: countryName(code) }));
  return countries.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}
