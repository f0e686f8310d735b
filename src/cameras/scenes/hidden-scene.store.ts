import type { Tx } from '../../platform/database/db.ts';
import { Prisma } from '../../platform/prisma-client/client.ts';

/** Adds the scene of a recording. @returns its id */
export async function insertHiddenScene(
  tx: Tx,
  scene: { userId: string; deviceId: string; name: string; config: Prisma.InputJsonObject },
): Promise<string> {
  const { id } = await tx.scene.create({ data: scene, select: { id: true } });
  return id;
}

/** The configuration of the scene of a recording. */
export function findHiddenScene(tx: Tx, id: string): Promise<{ config: Prisma.JsonValue }> {
  return tx.scene.findUniqueOrThrow({ where: { id }, select: { config: true } });
}

/** Changes the scene of a recording. `latestMetrics: null` forgets the metrics of its last analysis. */
export async function updateHiddenScene(
  tx: Tx,
  id: string,
  { latestMetrics, ...columns }: { name?: string; config?: Prisma.InputJsonObject; latestMetrics?: null },
): Promise<void> {
  const forgotten = { latestMetrics: Prisma.DbNull, metricsUpdatedAt: null };
  await tx.scene.updateMany({
    where: { id, recording: { isNot: null } },
    data: { ...columns, ...(latestMetrics === null && forgotten) },
  });
}

/** Deletes the scene of a recording: from now on no call finds it. */
export async function removeHiddenScene(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.scene.updateMany({
    where: { id, recording: { isNot: null }, deletedAt: null },
    data: { deletedAt: at },
  });
}

/** Removes the row of a deleted scene and, by foreign keys, everything that belongs to it: its recording too. */
export async function eraseHiddenScene(tx: Tx, id: string): Promise<void> {
  await tx.scene.deleteMany({ where: { id, recording: { isNot: null }, deletedAt: { not: null } } });
}
