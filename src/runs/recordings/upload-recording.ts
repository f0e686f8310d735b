import { sealStreamUrl } from '../../cameras/devices/stream-url.ts';
import { newConfig } from '../../cameras/scenes/schema.ts';
import { ApiError, invalidField } from '../../http/errors.ts';
import { Slots } from '../../http/request/slots.ts';
import type { Upload } from '../../http/request/upload.ts';
import type { Context } from '../../platform/context.ts';
import { asJson } from '../../platform/database/as-json.ts';
import type { LastStep } from '../../platform/database/last-step.ts';
import { newObjectKey, ObjectTooLarge, StorageFull } from '../../platform/images/object-store.ts';
import { isAfterEnd } from '../../video/ffmpeg/recording-fault.ts';
import { type Container, containerOf, SIGNATURE_BYTES } from '../../video/recording/container.ts';
import { PlayedTime } from '../../video/recording/played-time.ts';
import { readFacts, refused, requireReader } from './read-recording.ts';
import { countRecordings, insertRecording, knownKeys, type RecordingRow } from './recording.store.ts';
import type { CreateRecording } from './schema.ts';
import { noRoom, requireSpareBytes } from './stored-bytes.store.ts';

/** For `Context.shared`. Each upload writes a file as fast as it comes. */
const makeUploadSlots = () =>
  new Slots({
    ...{ perUser: 2, perProgram: 8 },
    message: 'Other recordings are being uploaded: wait until they have arrived, then try again',
    retryAfterSeconds: 10,
  });

export interface UploadOptions {
  readonly userId: string;
  readonly says: CreateRecording;
  readonly upload: Upload;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/**
 * Stores an uploaded file while it arrives, reads what it says of itself, and adds the recording. Whatever fails leaves neither
 * a file nor a row.
 * @throws ApiError PAYLOAD_TOO_LARGE, LIMIT_REACHED, RATE_LIMITED, UNREADABLE_VIDEO, UPLOAD_INCOMPLETE, STORAGE_FULL, SERVICE_UNAVAILABLE
 */
export async function uploadRecording(
  context: Context,
  { userId, says, upload, signal }: UploadOptions,
  lastStep?: LastStep<RecordingRow>,
): Promise<RecordingRow> {
  const { config, clock, db, images, logger, sealer, shared } = context;
  const maxBytes = config.recordingMaxBytes;
  requirePast(says.recordedAt, clock.now());
  if (upload.length !== null && upload.length > maxBytes) throw tooLarge(maxBytes);
  // Nobody sends a large file for nothing.
  await requireReader(context);
  await requireSpareRecording(context, userId);
  const mostBytes = config.maxRecordingBytesPerUser;
  const spareBytes = await requireSpareBytes(db, { userId, mostBytes, bytes: upload.length ?? 1 });
  return shared.get(makeUploadSlots).hold(userId, async () => {
    const objectKey = newObjectKey('recordings', userId);
    try {
      const file = new RecognisedFile(upload);
      const sizeBytes = await images.objects
        .putStream(objectKey, file, { maxBytes: Math.min(maxBytes, spareBytes), signal })
        .catch((error: unknown) => failStore(logger, error));
      const { container } = file;
      const { videoTrack, ...said } = says;
      const facts = await readFacts(context, { objectKey, container, videoTrack }, signal);
      if (isAfterEnd(file.joinedSeconds * 1000, facts.durationMs)) throw refused('joined');
      return await insertRecording(
        db,
        { userId, objectKey, sizeBytes: BigInt(sizeBytes), format: container, ...said, ...facts },
        {
          most: config.maxRecordingsPerUser,
          mostBytes,
          config: asJson(newConfig.parse({})),
          sealAddress: (address) => sealStreamUrl(sealer, address),
        },
        lastStep,
      );
    } catch (error) {
      await forget(context, objectKey);
      if (signal.aborted)
        throw new ApiError('UPLOAD_INCOMPLETE', 'The upload broke off: send the file again');
      if (!(error instanceof ObjectTooLarge)) throw error;
      if (spareBytes < maxBytes) throw noRoom({ limit: mostBytes, used: mostBytes - spareBytes });
      throw tooLarge(maxBytes);
    }
  });
}

/** Tells the client what the storage says, and the operator the cause. @throws ApiError STORAGE_FULL, SERVICE_UNAVAILABLE */
function failStore(logger: Context['logger'], error: unknown): never {
  // Faults of the stream itself.
  if (error instanceof ApiError || error instanceof ObjectTooLarge) throw error;
  if ((error as Error).name === 'AbortError') throw error;
  logger.error({ err: error }, 'The storage does not take a recording');
  if (error instanceof StorageFull)
    throw new ApiError(
      'STORAGE_FULL',
      'The storage has no room for this file: delete recordings that you no longer need, or tell the operator',
    );
  throw new ApiError(
    'SERVICE_UNAVAILABLE',
    'The storage does not take the file: try again soon, or tell the operator',
  );
}

/** The first bytes of a file decide what it is, before more of it is stored. */
class RecognisedFile implements AsyncIterable<Uint8Array> {
  readonly #source: AsyncIterable<Uint8Array>;
  #container: Container | null = null;
  #played: PlayedTime | null = null;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source;
  }

  /** Known once the first bytes were read. */
  get container(): Container {
    if (this.#container === null) throw new Error('The file was not read yet');
    return this.#container;
  }

  /** For how long recordings play that were joined one after the other; 0 where it is one recording, or its container hides it. */
  get joinedSeconds(): number {
    return this.#played?.joinedSeconds ?? 0;
  }

  /** @throws ApiError UNREADABLE_VIDEO */
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void> {
    let beginning = Buffer.alloc(0);
    for await (const chunk of this.#source) {
      if (this.#container !== null) {
        this.#played?.read(chunk);
        yield chunk;
        continue;
      }
      beginning = Buffer.concat([beginning, chunk]);
      if (beginning.length < SIGNATURE_BYTES) continue;
      this.#recognise(beginning);
      yield beginning;
    }
    if (this.#container !== null) return;
    this.#recognise(beginning);
    yield beginning;
  }

  #recognise(beginning: Buffer): void {
    this.#container = containerOf(beginning);
    if (this.#container === null) throw refused('not_a_video');
    if (this.#container === 'mpegts') this.#played = PlayedTime.of(beginning);
  }
}

const tooLarge = (maxBytes: number) =>
  new ApiError(
    'PAYLOAD_TOO_LARGE',
    `A recording may have at most ${maxBytes} bytes (RECORDING_MAX_BYTES): cut it, or convert it to a smaller size`,
  );

/** The transaction that adds the recording checks it again. */
async function requireSpareRecording(
  { db, config }: Pick<Context, 'config' | 'db'>,
  userId: string,
): Promise<void> {
  const has = await countRecordings(db, userId);
  if (has < config.maxRecordingsPerUser) return;
  throw new ApiError(
    'LIMIT_REACHED',
    `You have ${has} recordings; the maximum per user is ${config.maxRecordingsPerUser}: delete one that you no longer need, or ask the operator`,
  );
}

/** Removes the file of an upload that failed, unless its row was stored although the database did not answer. */
async function forget({ db, images, logger }: Context, objectKey: string): Promise<void> {
  try {
    if ((await knownKeys(db, [objectKey])).size === 0) await images.objects.remove([objectKey]);
  } catch (error) {
    // The job `recording-sweep` removes it.
    logger.warn({ err: error }, 'The file of a failed upload could not be removed');
  }
}

const EARLIEST = new Date('2000-01-01T00:00:00.000Z');
/** Clocks differ, and a local time may be sent as UTC. */
const AHEAD_MS = 24 * 3_600_000;

/** @throws ApiError VALIDATION_ERROR */
export function requirePast(recordedAt: Date, now: Date): void {
  if (recordedAt >= EARLIEST && recordedAt.getTime() <= now.getTime() + AHEAD_MS) return;
  throw invalidField('recordedAt', 'must lie between the year 2000 and now');
}
