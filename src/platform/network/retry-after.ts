const LONGEST_SECONDS = 3_600;

/** Seconds that a `Retry-After` header asks for, as a number or a date. At most an hour; 0 where it asks for nothing. */
export function retryAfterSeconds(header: string | null, now: Date): number {
  if (header === null) return 0;
  const text = header.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), LONGEST_SECONDS);
}
