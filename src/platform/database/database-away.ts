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
  readonly message?: unknown;
  readonly originalCode?: unknown;
  readonly meta?: DriverMeta;
  readonly cause?: unknown;
}

/** Postgres's codes for what ran into a limit of its transaction, or into another transaction. */
const BUSY_CODES = new Set(['55P03', '57014', '25P03', '25P04', '40P01', '40001', 'P2034']);
/** Prisma says with one code that no transaction could be begun and that one took too long. */
const TOO_LONG = /timeout for this transaction was/;

/** Whether an error says that the database cannot be used now, as opposed to a fault in what was asked. */
export const isDatabaseAway = (error: unknown): boolean =>
  someFacts(error, (facts) => speaksOfAway(facts) && !TOO_LONG.test(String(facts.message)));

/**
 * Whether an error says that the rows were held by another transaction for too long. The database is there: whatever
 * concerns other rows goes on.
 */
export const isDatabaseBusy = (error: unknown): boolean =>
  someFacts(
    error,
    ({ code, originalCode, meta, message }) =>
      BUSY_CODES.has(String(code)) ||
      BUSY_CODES.has(String(originalCode)) ||
      BUSY_CODES.has(String(meta?.driverAdapterError?.cause?.originalCode)) ||
      (code === 'P2028' && TOO_LONG.test(String(message))),
  );

/** Whether the same may work if it is tried again later, as opposed to a fault in what was asked. */
export const mayPass = (error: unknown): boolean => isDatabaseAway(error) || isDatabaseBusy(error);

function speaksOfAway({ name, code, originalCode, meta }: ErrorFacts): boolean {
  const driver = meta?.driverAdapterError?.cause;
  return (
    PRISMA_CODES.has(String(code)) ||
    CAUSE_CODES.has(String(code)) ||
    CAUSE_CODES.has(String(originalCode)) ||
    CAUSE_CODES.has(String(driver?.originalCode)) ||
    DRIVER_KINDS.has(String(driver?.kind)) ||
    name === 'PrismaClientInitializationError'
  );
}

/** Looks at an error and at its causes. */
function someFacts(error: unknown, says: (facts: ErrorFacts) => boolean): boolean {
  let at = error;
  for (let depth = 0; typeof at === 'object' && at !== null && depth < 5; depth++) {
    if (says(at as ErrorFacts)) return true;
    at = (at as ErrorFacts).cause;
  }
  return false;
}

/** Where Prisma keeps the driver's error. */
interface DriverMeta {
  readonly driverAdapterError?: {
    readonly cause?: { readonly kind?: unknown; readonly originalCode?: unknown };
  };
}
