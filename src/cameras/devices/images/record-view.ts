import { actorOf } from '../../../audit/record-audit.ts';
import { recordHourly } from '../../../audit/record-once.ts';
import type { Part } from '../../../http/part.ts';
import type { Caller } from '../../../http/permission.ts';
import type { Client } from '../../../http/route.ts';
import type { Context } from '../../../platform/context.ts';

const HOUR_MS = 3_600_000;

/** Who looks at the pictures of a device. */
export interface Viewer {
  readonly caller: Pick<Caller, 'credentialId' | 'keyId' | 'sessionId' | 'userId'>;
  readonly client: Pick<Client, 'address'>;
  readonly deviceId: string;
}

/** Writes into the audit log that somebody looks at pictures of a device now: once for each session or key, device and hour. */
export function recordView({ db, clock }: Pick<Context, 'clock' | 'db'>, viewer: Viewer): Promise<void> {
  const { caller, deviceId } = viewer;
  return recordHourly(db, {
    userId: caller.userId,
    actor: actorOf(caller, viewer.client),
    action: 'pictures_viewed',
    target: { kind: 'device', id: deviceId },
    key: `${caller.credentialId} ${deviceId}`,
    at: clock.now(),
  });
}

/** The parts as they are; a picture of a new hour is sent after its entry is written. */
export async function* recordingViews(
  context: Pick<Context, 'clock' | 'db'>,
  viewer: Viewer,
  parts: AsyncIterable<Part>,
): AsyncGenerator<Part> {
  let recorded = Number.NaN;
  for await (const part of parts) {
    const hour = Math.floor(context.clock.now().getTime() / HOUR_MS);
    if (hour !== recorded) await recordView(context, viewer);
    recorded = hour;
    yield part;
  }
}
