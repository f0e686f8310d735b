import sharp from 'sharp';
import type { AlertRule } from '../../../src/platform/prisma-client/client.ts';
import { storeAlertImages } from '../../../src/runs/record/alerts/alert-images.ts';
import type { TestApi } from '../api.ts';
import { type AddedAlert, addAlert } from '../rows/alert-rows.ts';

const SIZE = { width: 960, height: 540 };
const BOX = { left: 0.4, top: 0.25, right: 0.5, bottom: 0.8 };

/** A JPEG of a shop: a grey wall, a floor, and a counter. */
const shop = (): Promise<Buffer> => {
  const floor = {
    left: 0,
    top: 280,
    input: { create: { ...SIZE, height: 260, channels: 3 as const, background: '#7d7466' } },
  };
  const counter = {
    left: 620,
    top: 240,
    input: { create: { width: 260, height: 160, channels: 3 as const, background: '#4a5c6e' } },
  };
  const person = {
    left: 390,
    top: 140,
    input: { create: { width: 84, height: 290, channels: 3 as const, background: '#b3202c' } },
  };
  return sharp({ create: { ...SIZE, channels: 3, background: '#c9cfd4' } })
    .composite([floor, counter, person])
    .jpeg()
    .toBuffer();
};

/** An alert as `addAlert` makes it, with stored images. */
export async function addSeenAlert(
  { context: { db, images } }: TestApi,
  rule: AlertRule,
  options: Omit<Parameters<typeof addAlert>[2] & {}, 'images'> = {},
): Promise<AddedAlert & { readonly keys: readonly string[] }> {
  const added = await addAlert(db, rule, options);
  const { id: alertEventId, userId, triggeredAt } = added.event;
  const annotation = { zones: {}, tracks: [{ id: 1, zone: null, box: BOX }], caption: added.event.message };
  const stored = await storeAlertImages(images, await shop(), { userId, annotation, now: triggeredAt });
  await db.storedImage.createMany({
    data: stored.map((image) => ({ ...image, userId, alertEventId, index: 0, capturedAt: triggeredAt })),
  });
  return { ...added, keys: stored.map(({ objectKey }) => objectKey) };
}
