import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { prepareModel } from '../../models/prepare.ts';
import type { ModelCard } from '../../src/models/cards.ts';
import type { DetectorCard } from '../../src/models/detector-card.ts';
import { type ModelFolders, pulledFile } from '../../src/models/model-sources.ts';
import { type Progress, progress } from '../support/terminal.ts';

export interface PullOptions extends ModelFolders {
  readonly card: DetectorCard;
  /** A file instead of the address on the card. It is verified too. */
  readonly from?: string | undefined;
  /** After this many milliseconds without a byte the download is aborted. */
  readonly idleMs?: number;
}

/**
 * Downloads the file of a model, verifies that it is the one of its card, keeps it in the cache and prepares it.
 * @returns the number of bytes
 * @throws Error with one sentence; nothing is left in the cache then
 */
export async function pullModel(options: PullOptions): Promise<number> {
  const { card, modelsDir, cacheDir } = options;
  const { source } = card;
  if (source.kind !== 'url') throw needsNoPull(card);
  const target = pulledFile(cacheDir, source.sha256);
  const partial = `${target}.${process.pid}.partial`;
  const bar = progress(card.name, Math.ceil(source.bytes / 1000), 'kB');
  let output: Writable | null = null;
  try {
    await mkdir(dirname(target), { recursive: true });
    // Opened first: a stream that fails before it has opened its file would make the file after it was removed.
    output = (await open(partial, 'w')).createWriteStream();
    const origin = options.from ?? source.url;
    const input = options.from
      ? await openFile(options.from)
      : await openUrl(source.url, options.idleMs ?? 30_000);
    const { bytes, sha256 } = await save({ input, origin, output, limit: source.bytes, bar });
    if (bytes !== source.bytes || sha256 !== source.sha256) {
      const found = bytes < source.bytes ? `only ${bytes} of ${source.bytes} bytes` : `sha256 ${sha256}`;
      throw new Error(
        `${origin} is not the file that the card of ${card.name} names (${found}, expected sha256 ${source.sha256}): ` +
          'nothing was kept; try again, or give the right file with --from.',
      );
    }
    await rename(partial, target);
  } catch (error) {
    throw explained(error, { cacheDir });
  } finally {
    bar.stop();
    output?.destroy();
    await rm(partial, { force: true }).catch(() => {});
  }
  await prepareModel(card, { modelsDir, cacheDir });
  return source.bytes;
}

/** The error for a model that needs no download. */
export function needsNoPull({ name, source }: ModelCard): Error {
  const origin = source.kind === 'npm' ? `the npm package ${source.package}` : 'the file its card names';
  return new Error(`The model ${name} needs no pull: it is made of ${origin}.`);
}

interface Saving {
  readonly input: Readable;
  readonly origin: string;
  readonly output: Writable;
  /** The right file has at most this many bytes. */
  readonly limit: number;
  readonly bar: Progress;
}

async function save({
  input,
  origin,
  output,
  limit,
  bar,
}: Saving): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const measured = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > limit)
        throw new Error(
          `${origin} is larger than the ${limit} bytes its card names: nothing was kept; give the right file with --from.`,
        );
      hash.update(chunk);
      bar.update(Math.floor(bytes / 1000));
      yield chunk;
    }
  };
  await pipeline(input, measured, output);
  return { bytes, sha256: hash.digest('hex') };
}

async function openFile(file: string): Promise<Readable> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new Error(`There is no file ${file}: give --from an ONNX file.`);
  return createReadStream(file);
}

async function openUrl(url: string, idleMs: number): Promise<Readable> {
  const stalled = new AbortController();
  const giveUp = () =>
    stalled.abort(
      new Error(
        `${url} sent nothing for ${idleMs / 1000} s: try again later, or fetch it yourself and give it with --from.`,
      ),
    );
  let timer = setTimeout(giveUp, idleMs);
  const response = await fetch(url, { signal: stalled.signal }).catch((error: Error) => {
    clearTimeout(timer);
    if (stalled.signal.aborted) throw stalled.signal.reason;
    const reason = (error.cause as NodeJS.ErrnoException | undefined)?.code ?? error.message;
    throw new Error(
      `${url} cannot be reached (${reason}): fetch it where there is a network and give it with --from.`,
    );
  });
  if (!response.ok || !response.body) {
    clearTimeout(timer);
    await response.body?.cancel();
    throw new Error(`${url} answered ${response.status}: fetch the file yourself and give it with --from.`);
  }
  const body = Readable.fromWeb(response.body);
  body.on('data', () => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, idleMs);
  });
  body.on('close', () => clearTimeout(timer));
  body.pause();
  return body;
}

/** Describes errors of the disk and broken connections in a sentence. Other errors stay as they are. */
function explained(error: unknown, { cacheDir }: { cacheDir: string }): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code && ['ENOSPC', 'EACCES', 'EROFS', 'EPERM', 'EDQUOT', 'ENOTDIR', 'EEXIST'].includes(code)) {
    return new Error(
      `The model cache ${cacheDir} cannot be written (${code}): free some space, make it writable, or set MODEL_CACHE_DIR.`,
    );
  }
  if (message === 'terminated' || code?.startsWith('UND_ERR') || code === 'ECONNRESET') {
    return new Error('The connection broke off: nothing was kept; try again, or give the file with --from.');
  }
  return error as Error;
}
