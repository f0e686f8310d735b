import { z } from 'zod';
import type { Visit as VisitRow } from '../platform/prisma-client/client.ts';
import { tillOf } from '../vision/tills/till-stays.ts';
import type { TillService, Visit } from '../vision/types.ts';

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
  ...servicesOf(row),
  isInTime: row.isInTime,
});

/** A stay at a till, as stored. */
const storedServices = z.array(
  z.object({ tillId: z.string(), startedAt: z.string(), endedAt: z.string().nullable() }),
);
export type StoredService = z.output<typeof storedServices>[number];

function servicesOf({
  tillId,
  services,
  serviceStartedAt,
  serviceEndedAt,
}: VisitRow): Pick<Visit, 'services'> {
  if (services) {
    const stays = storedServices.parse(services);
    return {
      services: stays.map(({ tillId, startedAt, endedAt }) => ({
        ...{
          tillId,
          startedAtMs: Date.parse(startedAt),
          endedAtMs: endedAt === null ? null : Date.parse(endedAt),
        },
      })),
    };
  }
  if (tillId === null || serviceStartedAt === null) return {};
  return { services: [{ tillId, startedAtMs: serviceStartedAt.getTime(), endedAtMs: ms(serviceEndedAt) }] };
}

/** The columns of the tills of a visit: `services` only where they say more than `tillId` and the times of the visit. */
export function tillsOf(visit: Visit): { tillId: string | null; services: StoredService[] | null } {
  const { services = [], serviceStartedAtMs, serviceEndedAtMs } = visit;
  const nowMs = visit.outcomeDecidedAtMs ?? visit.serviceEndedAtMs ?? Number.MAX_SAFE_INTEGER;
  const [first] = services;
  const isWhole =
    services.length === 1 &&
    first?.startedAtMs === serviceStartedAtMs &&
    first?.endedAtMs === serviceEndedAtMs;
  return {
    tillId: tillOf(visit, nowMs),
    services: services.length === 0 || isWhole ? null : services.map(stored),
  };
}

const stored = ({ tillId, startedAtMs, endedAtMs }: TillService): StoredService => ({
  ...{ tillId, startedAt: new Date(startedAtMs).toISOString() },
  endedAt: endedAtMs === null ? null : new Date(endedAtMs).toISOString(),
});
