import { EXAMPLE_ID as ID, EXAMPLE_TIME as TIME } from '../../http/openapi/example-shop.ts';
import type { Examples } from '../../http/openapi/examples.ts';

/** Examples of the audit log. */
export const PRIVACY_EXAMPLES: Examples = {
  AuditEntry: {
    id: ID.audit,
    at: TIME.answered,
    userId: ID.user,
    action: 'pictures_viewed',
    actor: { kind: 'session', id: ID.session, networkAddress: '192.168.1.40' },
    target: { kind: 'device', id: ID.device },
    details: {},
  },
};
