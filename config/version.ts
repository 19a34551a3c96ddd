/** The version of the service, as CHANGELOG.md tells it. */
export const VERSION = "0.1.0";
