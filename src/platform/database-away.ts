/** Prisma's codes for: cannot reach, timed out, closed, no connection free. */
const PRISMA_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037']);
/** The system's and Postgres's codes for the same: refused, reset, shutting down, starting, too many clients. */
const CAUSE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '08006',
]);

/** Whether an error says that the database cannot be used now, as opposed to a fault in what was asked. */
export function isDatabaseAway(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    const { code, originalCode } = at as { code?: unknown; originalCode?: unknown };
    if (
      PRISMA_CODES.has(String(code)) ||
      CAUSE_CODES.has(String(code)) ||
      CAUSE_CODES.has(String(originalCode))
    ) {
      return true;
    }
    if (at.name === 'PrismaClientInitializationError') return true;
  }
  return false;
}
