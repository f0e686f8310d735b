import type { Db } from '../../../platform/database/db.ts';
import { Prisma } from '../../../platform/prisma-client/client.ts';
import { isStreamedByAnother } from '../streamed-devices.store.ts';

/**
 * Stores what decoding a stream of a device costs, in percent of a core. `updatedAt` stays: users did not change the device. Nothing is
 * written where another node streams the device meanwhile, or where that stream is gone.
 */
export async function writeDecodingPercent(
  db: Db,
  nodeId: string,
  deviceId: string,
  { stream, percent }: { readonly stream: 'main' | 'second'; readonly percent: number },
): Promise<void> {
  const column = Prisma.raw(stream === 'main' ? '"mainDecodingPercent"' : '"secondDecodingPercent"');
  await db.$executeRaw`
    UPDATE "Device" d SET ${column} = ${percent}::real
    WHERE d.id = ${deviceId}::uuid AND NOT ${isStreamedByAnother(Prisma.sql`d.id`, nodeId)}
      AND (${stream} = 'main' OR d."analysisStreamUrlEncrypted" IS NOT NULL)`;
}
