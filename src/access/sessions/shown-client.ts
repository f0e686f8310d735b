const LONGEST_USER_AGENT = 200;

/** The program, printable and bounded; a client may send anything. */
export const shownUserAgent = (text: string | null | undefined): string | null =>
  text?.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, LONGEST_USER_AGENT) || null;
