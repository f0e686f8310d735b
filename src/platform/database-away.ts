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

/** What Prisma's driver adapter calls the same, where a raw query hides the code. */
const DRIVER_KINDS = new Set([
  'DatabaseNotReachable',
  'ConnectionClosed',
  'SocketTimeout',
  'TooManyConnections',
  'TlsConnectionError',
]);

interface ErrorFacts {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly meta?: DriverMeta;
  readonly cause?: unknown;
}

/** Whether an error says that the database cannot be used now, as opposed to a fault in what was asked. */
export function isDatabaseAway(error: unknown): boolean {
  let at = error;
  for (let depth = 0; typeof at === 'object' && at !== null && depth < 5; depth++) {
    const { name, code, originalCode, meta, cause } = at as ErrorFacts;
    const driver = meta?.driverAdapterError?.cause;
    if (
      PRISMA_CODES.has(String(code)) ||
      CAUSE_CODES.has(String(code)) ||
      CAUSE_CODES.has(String(originalCode)) ||
      CAUSE_CODES.has(String(driver?.originalCode)) ||
      DRIVER_KINDS.has(String(driver?.kind))
    ) {
      return true;
    }
    if (name === 'PrismaClientInitializationError') return true;
    at = cause;
  }
  return false;
}

/** Where Prisma keeps the driver's error. */
interface DriverMeta {
  readonly driverAdapterError?: {
    readonly cause?: { readonly kind?: unknown; readonly originalCode?: unknown };
  };
}
