import { PAGES } from "../../../domain/pages.ts";

/** Where a browser is signed out. */
export const SIGN_OUT_PATH = `${PAGES.settings}/sign-out`;
/** Where it is asked whether all are to be, and done. */
export const SIGN_OUT_EVERYWHERE_PATH = `${PAGES.settings}/sign-out-everywhere`;
