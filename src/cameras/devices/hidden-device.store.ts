import type { Tx } from '../../platform/database/db.ts';
import type { Device, Prisma } from '../../platform/prisma-client/client.ts';

/** The columns of the hidden device of a recording. */
export type HiddenDevice = Pick<
  Device,
  | 'userId'
  | 'name'
  | 'streamUrlEncrypted'
  | 'timezone'
  | 'width'
  | 'height'
  | 'codec'
  | 'sourceFps'
  | 'rotation'
>;

/** Adds the hidden device of a recording. It is never probed, and no schedule starts it. @returns its id */
export async function insertHiddenDevice(tx: Tx, device: HiddenDevice): Promise<string> {
  const { id } = await tx.device.create({
    data: { ...device, kind: 'recording', onlineStatus: 'online', nextProbeAt: null },
    select: { id: true },
  });
  return id;
}

/** Changes the hidden device of a recording. */
export async function updateHiddenDevice(
  tx: Tx,
  id: string,
  columns: Partial<
    Pick<
      Device,
      | 'analysisFps'
      | 'attributeGroups'
      | 'name'
      | 'plan'
      | 'rotation'
      | 'timezone'
      | 'width'
      | 'height'
      | 'codec'
      | 'sourceFps'
    >
  > & {
    readonly privacyMask?: Prisma.InputJsonArray;
  },
): Promise<void> {
  if (Object.keys(columns).length === 0) return;
  await tx.device.updateMany({ where: { id, kind: 'recording' }, data: columns });
}

/** Deletes the hidden device of a recording. Its row stays, because usage names it. */
export async function removeHiddenDevice(tx: Tx, id: string, at: Date): Promise<void> {
  await tx.device.updateMany({ where: { id, kind: 'recording', deletedAt: null }, data: { deletedAt: at } });
}
