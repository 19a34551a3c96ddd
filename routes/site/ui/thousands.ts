export { thousands } from "../../../domain/text/euros.ts";
