import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ModelCard } from '../../src/models/card.ts';
import { prepareModel, pulledFile } from '../../src/models/model-store.ts';
import { type Progress, progress } from '../support/terminal.ts';

export interface PullOptions {
  readonly card: ModelCard;
  readonly modelsDir: string;
  readonly cacheDir: string;
  /** A file instead of the card's address; verified all the same. */
  readonly from?: string | undefined;
  /** Milliseconds without a byte after which the address is given up. */
  readonly idleMs?: number;
}

/**
 * Fetches a model's file, proves that it is the one its card names, keeps it in the cache and prepares it.
 * @returns bytes fetched
 * @throws one sentence; nothing is left behind then
 */
export async function pullModel(options: PullOptions): Promise<number> {
  const { card, modelsDir, cacheDir } = options;
  const { source } = card;
  if (source.kind !== 'url') {
    throw new Error(
      `The model ${card.name} needs no pull: its card names ${source.kind === 'npm' ? `the npm package ${source.package}` : source.path}.`,
    );
  }
  const target = pulledFile(cacheDir, source.sha256);
  const partial = `${target}.${process.pid}.partial`;
  const bar = progress(card.name, Math.ceil(source.bytes / 1000), 'kB');
  try {
    await mkdir(dirname(target), { recursive: true });
    const origin = options.from ?? source.url;
    const input = options.from
      ? await openFile(options.from)
      : await openUrl(source.url, options.idleMs ?? 30_000);
    const { bytes, sha256 } = await save({ input, origin, partial, limit: source.bytes, bar });
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
    await rm(partial, { force: true }).catch(() => {});
  }
  await prepareModel({ model: card.name, modelsDir, cacheDir });
  return source.bytes;
}

interface Saving {
  readonly input: Readable;
  readonly origin: string;
  readonly partial: string;
  /** Bytes after which it cannot be the right file any more. */
  readonly limit: number;
  readonly bar: Progress;
}

async function save({
  input,
  origin,
  partial,
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
  await pipeline(input, measured, createWriteStream(partial));
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

/** Faults of the disk and broken connections as sentences; sentences stay as they are. */
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
