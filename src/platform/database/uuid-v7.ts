/** The time at which an id of `uuid_v7()` was made: its first 48 bits are milliseconds since 1970. */
export const timeOfId = (id: string): Date =>
  new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));

/** Ids of `uuid_v7()` that were made at a time or later are not below this one, so that a primary key finds old rows. */
export const firstIdSince = (time: Date): string =>
  time.getTime().toString(16).padStart(12, '0').padEnd(32, '0');
