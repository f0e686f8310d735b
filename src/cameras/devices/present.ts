import type { z } from 'zod';
import type { Sealer } from '../../platform/crypto.ts';
import { storedSchedule } from '../../platform/jobs/schedule.ts';
import { redactUrl } from '../../platform/network/mask-address.ts';
import type { Device } from '../../platform/prisma-client/client.ts';
import type { Rotation } from '../../video/picture/turn.ts';
import { storedMasks } from '../../vision/stored-config.ts';
import { presentCondition, type ShownCondition } from './condition.ts';
import { presentDecoding } from './decoding/decoding.ts';
import type { device } from './schema.ts';
import { openStreamUrl } from './stream-url.ts';

/** A device as the API shows it. */
export function presentDevice(
  row: Device,
  sealer: Sealer,
  condition: ShownCondition = presentCondition(row),
): z.input<typeof device> {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    streamUrl: redactUrl(openStreamUrl(sealer, row.streamUrlEncrypted)),
    analysisStreamUrl:
      row.analysisStreamUrlEncrypted &&
      redactUrl(openStreamUrl(sealer, row.analysisStreamUrlEncrypted, 'analysisStreamUrl')),
    plan: row.plan,
    onlineStatus: row.onlineStatus,
    onlineChangedAt: row.onlineChangedAt?.toISOString() ?? null,
    lastFrameAt: row.lastFrameAt?.toISOString() ?? null,
    lastError: row.lastError,
    ...condition,
    width: row.width,
    height: row.height,
    codec: row.codec,
    sourceFps: row.sourceFps,
    decoding: presentDecoding(row),
    analysisFps: row.analysisFps,
    analysisRegion: row.analysisRegion ?? (row.plan === 'LEVEL_02' ? 'whole' : 'zones'),
    analysisAccuracy: row.analysisAccuracy,
    rotation: row.rotation as Rotation,
    schedule: storedSchedule.parse(row.schedule),
    timezone: row.timezone,
    privacyMask: storedMasks.parse(row.privacyMask),
    maskAnalysis: row.maskAnalysis,
    attributeGroups: row.attributeGroups as z.input<typeof device>['attributeGroups'],
    isDisabled: row.isDisabled,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
