import { isDeepStrictEqual } from 'node:util';
import { readNetworks } from '../../access/networks.ts';
import { type Actor, recordAudit } from '../../audit/record-audit.ts';
import { recordGroups } from '../../audit/record-groups.ts';
import { ApiError, invalidField, notFound, orNotFound } from '../../http/errors.ts';
import { definedFields } from '../../http/fields.ts';
import type { Context } from '../../platform/context.ts';
import type { Db } from '../../platform/database/db.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import { CHANNELS, notify } from '../../platform/database/notify.ts';
import { redactUrl } from '../../platform/network/mask-address.ts';
import type { Device } from '../../platform/prisma-client/client.ts';
import { type Rotation, turnedSize } from '../../video/picture/turn.ts';
import { storedMasks } from '../../vision/stored-config.ts';
import { probeBoth } from './analysis-stream/probe-both.ts';
import { streamPolicy } from './camera-network.ts';
import {
  type DeviceColumns,
  findDevice,
  insertDevice,
  lockDevice,
  removeDevice,
  updateDevice,
} from './device.store.ts';
import { probeDevice, storeProbed } from './probe-device.ts';
import type { CreateDevice, PatchDevice } from './schema.ts';
import { checkStreamUrl, openStreamUrl, type StreamField, sealStreamUrl } from './stream-url.ts';

type DeviceContext = Pick<Context, 'clock' | 'config' | 'db' | 'sealer' | 'shared'>;

/** @returns the address to store @throws ApiError VALIDATION_ERROR */
export async function acceptStreamUrl(
  { config, db }: Pick<Context, 'config' | 'db'>,
  userId: string,
  text: string,
  field: StreamField = 'streamUrl',
): Promise<string> {
  const checked = checkStreamUrl(text, streamPolicy(config, await readNetworks(db, userId)));
  if ('url' in checked) return checked.url;
  throw invalidField(field, checked.fault);
}

/** Stores a new device and probes it at once. @throws ApiError VALIDATION_ERROR, LIMIT_REACHED */
export async function createDevice(
  context: DeviceContext,
  userId: string,
  body: CreateDevice,
  lastStep?: LastStep<Device>,
): Promise<Device> {
  const { streamUrl, analysisStreamUrl, ...columns } = body;
  const accepted = await acceptStreamUrl(context, userId, streamUrl);
  const analysed = analysisStreamUrl
    ? await acceptStreamUrl(context, userId, analysisStreamUrl, 'analysisStreamUrl')
    : null;
  const streamUrlEncrypted = sealStreamUrl(context.sealer, accepted);
  const both = { streamUrl: accepted, analysisStreamUrl: analysed };
  const probed = await probeSecond(context, userId, both);
  const row = await insertDevice(
    context.db,
    { userId, most: context.config.maxDevicesPerUser, now: context.clock.now() },
    {
      ...definedFields(columns),
      ...{ name: body.name, streamUrlEncrypted },
      ...(analysed && { analysisStreamUrlEncrypted: sealSecond(context, analysed) }),
    },
    lastStep,
  );
  const stored = probed ? storeProbed(context.db, row, probed) : probeDevice(context, row, 'facts');
  return (await stored).device;
}

const sealSecond = ({ sealer }: Pick<Context, 'sealer'>, url: string) =>
  sealStreamUrl(sealer, url, 'analysisStreamUrl');

/** @returns what the probe of the main stream has found; null where there is no second stream, whose probe would tell */
async function probeSecond(
  context: DeviceContext,
  userId: string,
  { streamUrl, analysisStreamUrl }: { streamUrl: string; analysisStreamUrl: string | null },
) {
  return analysisStreamUrl === null ? null : probeBoth(context, userId, { streamUrl, analysisStreamUrl });
}

/**
 * Changes a device. A new address is probed at once, and a run that uses the device reopens it.
 * @param by for the audit log
 */
export async function changeDevice(
  context: DeviceContext,
  { userId, id, by }: { userId: string; id: string; by: Actor },
  body: PatchDevice,
): Promise<Device> {
  const { db, sealer } = context;
  const before = orNotFound(await findDevice(db, userId, id), 'Device');
  const { streamUrl, analysisStreamUrl, ...columns } = body;
  const current = openStreamUrl(sealer, before.streamUrlEncrypted);
  const second =
    before.analysisStreamUrlEncrypted &&
    openStreamUrl(sealer, before.analysisStreamUrlEncrypted, 'analysisStreamUrl');
  const isNew = isOther(streamUrl, current);
  const accepted = isNew ? await acceptStreamUrl(context, userId, streamUrl) : current;
  const isNewSecond = isOther(analysisStreamUrl, second);
  const analysed = isNewSecond
    ? analysisStreamUrl && (await acceptStreamUrl(context, userId, analysisStreamUrl, 'analysisStreamUrl'))
    : second;
  const changes = definedFields({
    ...columns,
    ...turnedSizeOf(before, body.rotation),
    streamUrlEncrypted: isNew ? sealStreamUrl(sealer, accepted) : undefined,
    analysisStreamUrlEncrypted: isNewSecond ? analysed && sealSecond(context, analysed) : undefined,
  });
  if (Object.keys(changes).length === 0) return before;
  const both = { streamUrl: accepted, analysisStreamUrl: analysed };
  const probed = isNew || isNewSecond ? await probeSecond(context, userId, both) : null;

  const now = context.clock.now();
  const hasPrivacy = PRIVACY_FIELDS.some((field) => body[field] !== undefined);
  const after = orNotFound(
    await (hasPrivacy
      ? changePrivacy(db, { userId, id, by, now }, changes)
      : updateDevice(db, { userId, id, now }, changes)),
    'Device',
  );
  await notify(db, CHANNELS.runs, id);
  if (probed) return (await storeProbed(db, after, probed)).device;
  return isNew ? (await probeDevice(context, after, 'facts')).device : after;
}

/** The size of the picture after another rotation; nothing where it stays or is not known. */
function turnedSizeOf({ width, height, rotation }: Device, wanted: Rotation | undefined) {
  if (wanted === undefined || width === null || height === null) return {};
  return turnedSize({ width, height }, Math.abs(wanted - rotation) as Rotation);
}

/** A client that sends the masked address back means the same address, not one with the password ***. */
const isOther = <Text extends string | null>(given: Text | undefined, stored: string | null): given is Text =>
  given !== undefined && given !== stored && (stored === null || given !== redactUrl(stored));

const PRIVACY_FIELDS = ['privacyMask', 'maskAnalysis', 'attributeGroups'] as const;

/** Changes a device and records what has changed of its masks and of the sensitive attributes. */
function changePrivacy(
  db: Db,
  { userId, id, by, now }: { userId: string; id: string; by: Actor; now: Date },
  changes: DeviceColumns,
): Promise<Device | null> {
  return db.$transaction(async (tx) => {
    const before = await lockDevice(tx, userId, id);
    const after = before && (await updateDevice(tx, { userId, id, now }, changes));
    if (!after) return after;
    await recordGroups(tx, [before, after], { userId, actor: by, target: { kind: 'device', id }, at: now });
    const { maskAnalysis } = after;
    if (before.maskAnalysis === maskAnalysis && isDeepStrictEqual(before.privacyMask, after.privacyMask))
      return after;
    const details = { polygons: storedMasks.parse(after.privacyMask).length, maskAnalysis };
    const target = { kind: 'device', id };
    await recordAudit(tx, { userId, actor: by, action: 'masks_changed', target, details, at: now });
    return after;
  });
}

/** Removes a device and what belongs to it. */
export async function deleteDevice(
  { db, clock }: Pick<Context, 'clock' | 'db'>,
  userId: string,
  id: string,
): Promise<void> {
  const outcome = await removeDevice(db, { userId, id, at: clock.now() });
  if (outcome === 'absent') throw notFound('Device');
  if (outcome === 'active') {
    throw new ApiError('SCENE_ANALYSIS_ACTIVE', 'A scene of this device is being analysed: stop it first');
  }
}
