import type { Visit as VisitRow } from '../platform/prisma-client/client.ts';
import type { Visit } from '../vision/types.ts';

const ms = (time: Date | null): number | null => time?.getTime() ?? null;

/** A stored visit as `vision` has it. */
export const visitOfRow = (row: VisitRow): Visit => ({
  id: row.number,
  trackId: row.trackId,
  state: row.state,
  queueEnteredAtMs: ms(row.queueEnteredAt),
  queueLeftAtMs: ms(row.queueLeftAt),
  serviceStartedAtMs: ms(row.serviceStartedAt),
  serviceEndedAtMs: ms(row.serviceEndedAt),
  outcome: row.outcome,
  arrivalDecidedAtMs: row.arrivalDecidedAt.getTime(),
  outcomeDecidedAtMs: ms(row.outcomeDecidedAt),
});
