import { z } from 'zod';
import { type AlertFacts, isAlertFacts } from '../../../alerts/alert-facts.ts';
import { heldCondition } from '../../../alerts/schema.ts';
import { storedCapture } from '../../../attributes/stored-people.ts';
import type { Db, Tx } from '../../../platform/database/db.ts';
import { claim } from '../../../platform/jobs/claim.store.ts';
import { Prisma } from '../../../platform/prisma-client/client.ts';
import { Severity } from '../../../platform/prisma-client/enums.ts';

/** Everything that an alert is made of, as plain JSON. It is stored from the firing until its alert is recorded. */
const storedFiring = z.object({
  ...{ userId: z.string(), deviceId: z.string(), sceneId: z.string(), sceneName: z.string() },
  ...{ taskId: z.string(), computeNodeId: z.string(), atMs: z.number(), message: z.string() },
  rule: z.object({ id: z.string(), name: z.string(), severity: z.enum(Severity) }),
  held: heldCondition,
  facts: z.custom<AlertFacts>(isAlertFacts),
  capture: storedCapture.nullable(),
});
export type StoredFiring = Readonly<z.output<typeof storedFiring>>;

/** A worker records its firings within the wait for images. After this additional time another worker may record them. */
const GRACE_SECONDS = 15;
/** Time that a worker has for the firings it has claimed from a dead worker. */
const CLAIM_SECONDS = 60;

/** @returns the id of the firing, which becomes the id of the alert event */
export async function storeFiring(tx: Tx, firing: StoredFiring, waitSeconds: number): Promise<string> {
  const [stored] = await tx.$queryRaw<[{ id: string }]>`
    INSERT INTO "Firing" ("ruleId", "taskId", "firedAt", body, "recordBy")
    VALUES (${firing.rule.id}::uuid, ${firing.taskId}::uuid, ${new Date(firing.atMs)},
      ${JSON.stringify(firing)}::jsonb, clock_timestamp() + make_interval(secs => ${waitSeconds + GRACE_SECONDS}))
    RETURNING id`;
  return stored.id;
}

/** @returns the id of the rule's firing or recorded alert in a run at this frame time; null when there is none */
export async function findFiring(
  tx: Tx,
  { ruleId, taskId, atMs }: { ruleId: string; taskId: string; atMs: number },
): Promise<string | null> {
  const at = new Date(atMs);
  const found =
    (await tx.firing.findFirst({ where: { ruleId, taskId, firedAt: at }, select: { id: true } })) ??
    (await tx.alertEvent.findFirst({ where: { ruleId, taskId, triggeredAt: at }, select: { id: true } }));
  return found?.id ?? null;
}

/** Removes a firing in the transaction that records its alert. @returns null when its alert is recorded already */
export async function takeFiring(tx: Tx, id: string): Promise<StoredFiring | null> {
  const [taken] = await tx.$queryRaw<{ body: Prisma.JsonValue }[]>`
    DELETE FROM "Firing" WHERE id = ${id}::uuid RETURNING body`;
  return taken ? storedFiring.parse(taken.body) : null;
}

/** Claims firings of dead workers for one worker, the oldest first. */
export const claimAbandonedFirings = (db: Db, limit: number): Promise<{ id: string }[]> =>
  claim(db, {
    table: 'Firing',
    due: Prisma.sql`w."recordBy" <= clock_timestamp()`,
    order: Prisma.sql`w."recordBy"`,
    limit,
    set: Prisma.sql`"recordBy" = clock_timestamp() + make_interval(secs => ${CLAIM_SECONDS})`,
    returning: Prisma.sql`w.id`,
  });
