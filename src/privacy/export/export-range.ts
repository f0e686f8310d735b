import { everyEntry } from '../../audit/audit.store.ts';
import type { Context } from '../../platform/context.ts';
import { newObjectKey } from '../../platform/images/object-store.ts';
import type { StoredImage } from '../../platform/prisma-client/client.ts';
import type { DataJob, ExportFile } from '../data-job.store.ts';
import type { JobProgress } from '../job-progress.ts';
import { EXPORTED_ROWS, IMAGE_ROWS, type SceneRange } from '../ranged-rows.store.ts';
import { overlappingRecordings } from '../recordings.store.ts';
import { placesOf, rowsOf } from './export.store.ts';
import { ZipWriter } from './zip-writer.ts';

const KEPT_DAYS = 7;
const DAY_MS = 86_400_000;
/** A larger export is refused: the user asks for a shorter time or for fewer devices. */
const MOST_BYTES = 50 * 1024 ** 3;
/** Characters of one write. */
const CHUNK = 65_536;

export type ExportContext = Pick<Context, 'clock' | 'db' | 'images' | 'logger'>;

/**
 * Writes everything of a time range into a zip file in the storage: one file with a JSON document in each line for each kind of
 * row, the images, and a manifest. An interrupted export leaves nothing and begins anew.
 * @throws ObjectTooLarge, StorageFull
 */
export async function exportRange(
  context: ExportContext,
  job: DataJob,
  progress: JobProgress,
): Promise<ExportFile> {
  const { clock, images } = context;
  const objectKey = newObjectKey('exports', job.userId);
  const failed = new AbortController();
  const signal = AbortSignal.any([progress.signal, failed.signal]);
  const zip = new ZipWriter(signal);
  const stop = (error: unknown) => {
    failed.abort();
    throw error;
  };
  const putting = images.objects
    .putStream(objectKey, zip.output, { maxBytes: MOST_BYTES, signal })
    .catch(stop);
  const writing = writeEntries(context, job, { zip, progress }).catch(stop);
  try {
    // The first failure is the cause; it ends the other one.
    const [sizeBytes] = await Promise.all([putting, writing]);
    return { objectKey, sizeBytes, expiresAt: new Date(clock.now().getTime() + KEPT_DAYS * DAY_MS) };
  } finally {
    await Promise.allSettled([putting, writing]);
  }
}

interface Entries {
  readonly zip: ZipWriter;
  readonly progress: JobProgress;
}

async function writeEntries(context: ExportContext, job: DataJob, { zip, progress }: Entries): Promise<void> {
  const { db, clock, images } = context;
  const { userId, deviceIds, rangeFrom: from, rangeTo: to } = job;
  const mtime = clock.now();
  const places = await placesOf(db, { userId, deviceIds });
  const sceneIds = places.flatMap(({ scenes }) => scenes.map(({ id }) => id));
  progress.begin(EXPORTED_ROWS.length * sceneIds.length + 1);
  for (const rows of EXPORTED_ROWS) {
    const lines = async function* () {
      for (const sceneId of sceneIds) {
        for await (const row of rowsOf(db, rows, { sceneId, from, to })) {
          progress.count(rows.name, 1);
          yield rows.show ? rows.show(row as never) : row;
        }
        progress.requireMine();
        if (rows !== IMAGE_ROWS) progress.step();
      }
    };
    await zip.add(`${rows.name}.ndjson`, inChunks(lines()), { mtime });
  }
  for (const sceneId of sceneIds) {
    await writeImages(context, { sceneId, from, to }, { zip, progress });
    progress.step();
  }
  for (const { id, format, objectKey, recordedAt } of await overlappingRecordings(db, {
    userId,
    deviceIds,
    from,
    to,
  })) {
    const file = await images.objects.read(objectKey);
    if (!file) continue;
    await zip.add(`recordings/${id}.${format}`, file, { mtime: recordedAt, compress: false });
    progress.count('recordings', 1);
  }
  const audit = everyEntry(db, { userId, from, to });
  await zip.add('auditEntries.ndjson', inChunks(audit), { mtime });
  const manifest = {
    ...{ userId, from, to, deviceIds, createdAt: mtime, rows: progress.counts, devices: places },
    about:
      'Each .ndjson file has one JSON document in each line. Times are UTC; a range includes its start and not its end.',
  };
  await zip.add('manifest.json', [Buffer.from(JSON.stringify(manifest, asJson, 2))], { mtime });
  zip.end();
}

/** The images of a scene. An image that retention has removed meanwhile is left out. */
async function writeImages(
  { db, images }: ExportContext,
  range: SceneRange,
  { zip, progress }: Entries,
): Promise<void> {
  for await (const row of rowsOf(db, IMAGE_ROWS, range)) {
    progress.requireMine();
    const { alertEventId, kind, index, objectKey, capturedAt } = row as unknown as StoredImage;
    const jpeg = await images.get(objectKey);
    if (!jpeg) continue;
    await zip.add(`images/${alertEventId}-${kind}-${index}.jpg`, [jpeg], {
      mtime: capturedAt,
      compress: false,
    });
    progress.count('imageFiles', 1);
  }
}

/** Lines of JSON in larger pieces. */
async function* inChunks(rows: AsyncIterable<object>): AsyncGenerator<string> {
  let text = '';
  for await (const row of rows) {
    text += `${JSON.stringify(row, asJson)}\n`;
    if (text.length < CHUNK) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

function asJson(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return value;
}
