/** Numbers of the past are kept, forecast and advised by quarters of an hour. */
export const QUARTER_SECONDS = 900;
export const QUARTER_MS = QUARTER_SECONDS * 1000;
