import { PAGES } from "../../../domain/pages.ts";

/** Where copies of one's data are asked for, and each is read. */
export const EXPORTS_PATH = `${PAGES.privacy}/exports`;
/** Where an erasure is asked for, once it is said what that ends. */
export const ERASURE_PATH = `${PAGES.privacy}/erasure`;
/** Where one is called off. */
export const KEEP_PATH = `${ERASURE_PATH}/keep`;
