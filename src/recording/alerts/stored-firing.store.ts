import type { AlertFacts } from '../../alerts/alert-facts.ts';
import type { HeldCondition } from '../../alerts/conditions.ts';
import type { WatchedRule } from '../../alerts/rule-watch.ts';
import type { Capture } from '../../attributes/capture.ts';
import type { Db, Tx } from '../../platform/database/db.ts';
import type { Prisma } from '../../platform/prisma-client/client.ts';

/** A firing as it is kept until its alert is recorded: plain JSON, all that the alert is made of. */
export interface StoredFiring {
  readonly userId: string;
  readonly deviceId: string;
  readonly sceneId: string;
  readonly sceneName: string;
  readonly taskId: string;
  readonly computeNodeId: string;
  readonly rule: Pick<WatchedRule, 'id' | 'name' | 'severity'>;
  readonly held: HeldCondition;
  /** Frame time. */
  readonly atMs: number;
  readonly message: string;
  readonly facts: AlertFacts;
  readonly capture: Capture | null;
}

/** Beyond the wait for the picture: by then a worker that lives has recorded it. */
const GRACE_SECONDS = 15;
/** Whoever takes over a firing of a dead worker has so long for it. */
const TAKEN_SECONDS = 60;

/** @returns its id, which will be the alert event's */
export async function storeFiring(tx: Tx, firing: StoredFiring, waitSeconds: number): Promise<string> {
  const [kept] = await tx.$queryRaw<[{ id: string }]>`
    INSERT INTO "Firing" ("ruleId", "taskId", "firedAt", body, "recordBy")
    VALUES (${firing.rule.id}::uuid, ${firing.taskId}::uuid, ${new Date(firing.atMs)},
      ${JSON.stringify(firing)}::jsonb, clock_timestamp() + make_interval(secs => ${waitSeconds + GRACE_SECONDS}))
    RETURNING id`;
  return kept.id;
}

/** The id of what this rule fired at this frame time, recorded or not; null when it did not. */
export async function findDecided(tx: Tx, ruleId: string, atMs: number): Promise<string | null> {
  const at = new Date(atMs);
  const kept = await tx.firing.findFirst({ where: { ruleId, firedAt: at }, select: { id: true } });
  const recorded =
    kept ?? (await tx.alertEvent.findFirst({ where: { ruleId, triggeredAt: at }, select: { id: true } }));
  return recorded?.id ?? null;
}

/** Takes a firing in order to record it. @returns null when somebody else has recorded it */
export async function takeFiring(tx: Tx, id: string): Promise<StoredFiring | null> {
  const [taken] = await tx.$queryRaw<{ body: Prisma.JsonValue }[]>`
    DELETE FROM "Firing" WHERE id = ${id}::uuid RETURNING body`;
  return taken ? (taken.body as unknown as StoredFiring) : null;
}

/** Firings of workers that have died, for one worker alone. @returns their ids, oldest first */
export async function claimAbandonedFirings(db: Db, atMost: number): Promise<string[]> {
  const left = await db.$queryRaw<{ id: string }[]>`
    UPDATE "Firing" SET "recordBy" = clock_timestamp() + make_interval(secs => ${TAKEN_SECONDS})
    WHERE id IN (
      SELECT id FROM "Firing" WHERE "recordBy" <= clock_timestamp()
      ORDER BY "recordBy" LIMIT ${atMost} FOR UPDATE SKIP LOCKED)
    RETURNING id`;
  return left.map(({ id }) => id).sort();
}
