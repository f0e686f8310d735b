import { EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';

const RANGE = { from: '2026-01-31T07:00:00.000Z', to: '2026-01-31T08:00:00.000Z' };
const JOB = {
  id: ID.dataJob,
  status: 'completed',
  ...RANGE,
  deviceIds: [ID.device],
  progressPercent: 100,
  counts: { visits: 84, minutes: 60, snapshots: 360, alertEvents: 2, images: 6 },
  error: null,
  createdAt: TIME.alert,
  startedAt: TIME.stored,
  completedAt: TIME.answered,
};

const AUDIT_CSV =
  'id,at,userId,action,actorKind,actorId,networkAddress,targetKind,targetId,details\r\n' +
  `${ID.audit},${TIME.answered},${ID.user},pictures_viewed,session,${ID.session},192.168.1.40,device,${ID.device},{}\r\n`;

/** Examples of the audit log, of exports and of erasures. */
export const PRIVACY_EXAMPLES: Examples = {
  'POST /privacy/exports': { ...RANGE, deviceIds: [ID.device] },
  'POST /privacy/erasures': RANGE,
  Export: { ...JOB, file: { sizeBytes: 1_250_000, expiresAt: '2026-02-07T08:15:00.250Z' } },
  Erasure: JOB,
  AuditEntry: {
    id: ID.audit,
    at: TIME.answered,
    userId: ID.user,
    action: 'pictures_viewed',
    actor: { kind: 'session', id: ID.session, networkAddress: '192.168.1.40' },
    target: { kind: 'device', id: ID.device },
    details: {},
  },
  ...Object.fromEntries(
    ['GET /audit', 'GET /admin/audit'].flatMap((call) => [
      [`${call} ?action`, 'pictures_viewed'],
      [`${call} ?actorId`, ID.session],
      [`${call} ?targetId`, ID.device],
      [`${call} text/csv`, AUDIT_CSV],
    ]),
  ),
  'GET /privacy/exports/{id}/file application/zip': '(the bytes of the zip file)',
};
