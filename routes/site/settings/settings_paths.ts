import { PAGES } from "../../../domain/pages.ts";

/** Where a browser is signed out. */
export const SIGN_OUT_PATH = `${PAGES.settings}/sign-out`;
/** Where it is asked whether all are to be, and done. */
export const SIGN_OUT_EVERYWHERE_PATH = `${PAGES.settings}/sign-out-everywhere`;
/** Where another e-mail address is asked for. */
export const EMAIL_PATH = `${PAGES.settings}/email`;
/** Where the codes for both addresses are given. */
export const CONFIRM_EMAIL_PATH = `${EMAIL_PATH}/confirm`;
