/** Codes of Prisma for: not reachable, timed out, closed, no free connection. */
const PRISMA_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2037']);
/** Codes of the system and of PostgreSQL for: no way to it, refused, reset, shutting down, starting, too many clients. */
const CAUSE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
]);

/** What pg and its pool say without a code: all connections are in use, too slow to connect, hung up. */
const MESSAGES = new Set([
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
  'timeout expired',
  'Connection terminated unexpectedly',
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
]);

/** Names of Prisma's driver adapter for the same, where a raw query hides the code. */
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

/** Codes of PostgreSQL for a transaction that reached a limit or conflicted with another one. */
const BUSY_CODES = new Set(['55P03', '57014', '25P03', '25P04', '40P01', '40001', 'P2034']);
/** Codes of PostgreSQL for: insufficient privilege, no such schema. */
const RIGHT_CODES = new Set(['42501', '3F000']);
/** Prisma uses code P2028 for two things: a transaction could not start, or it took too long. This text means the second. */
const TOO_LONG = /timeout for this transaction was/;

/** Whether an error means that the database cannot be reached now, rather than that the query is wrong. */
export const isDatabaseAway = (error: unknown): boolean =>
  someFacts(error, (facts) => speaksOfAway(facts) && !TOO_LONG.test(String(facts.message)));

/** Whether an error means that another transaction held the rows for too long. Work on other rows can go on. */
export const isDatabaseBusy = (error: unknown): boolean =>
  someFacts(
    error,
    (facts) => hasCode(facts, BUSY_CODES) || (facts.code === 'P2028' && TOO_LONG.test(String(facts.message))),
  );

/** Whether an error means that the database role lacks a right, or the schema in which it would have it. */
export const isRightMissing = (error: unknown): boolean =>
  someFacts(error, (facts) => hasCode(facts, RIGHT_CODES));

const hasCode = ({ code, originalCode, meta }: ErrorFacts, codes: ReadonlySet<string>): boolean =>
  [code, originalCode, meta?.driverAdapterError?.cause?.originalCode].some((each) => codes.has(String(each)));

/** Whether the same query may succeed later. */
export const mayPass = (error: unknown): boolean => isDatabaseAway(error) || isDatabaseBusy(error);

function speaksOfAway({ name, code, message, originalCode, meta }: ErrorFacts): boolean {
  const driver = meta?.driverAdapterError?.cause;
  return (
    PRISMA_CODES.has(String(code)) ||
    CAUSE_CODES.has(String(code)) ||
    CAUSE_CODES.has(String(originalCode)) ||
    CAUSE_CODES.has(String(driver?.originalCode)) ||
    DRIVER_KINDS.has(String(driver?.kind)) ||
    name === 'PrismaClientInitializationError' ||
    MESSAGES.has(String(message))
  );
}

/** Whether `says` holds for an error or one of its causes. */
function someFacts(error: unknown, says: (facts: ErrorFacts) => boolean): boolean {
  let at = error;
  for (let depth = 0; typeof at === 'object' && at !== null && depth < 5; depth++) {
    if (says(at as ErrorFacts)) return true;
    at = (at as ErrorFacts).cause;
  }
  return false;
}

/** The error of the driver inside an error of Prisma. */
interface DriverMeta {
  readonly driverAdapterError?: {
    readonly cause?: { readonly kind?: unknown; readonly originalCode?: unknown };
  };
}
